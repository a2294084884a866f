// References of the GEMM tasks: any M, N and K, in double precision.

#row = affine_map<(m, n, k) -> (m, k)>
#column = affine_map<(m, n, k) -> (n, k)>
#result = affine_map<(m, n, k) -> (m, n)>

// C = A * B^T
func.func @gemm(%A: tensor<?x?xf64>, %B: tensor<?x?xf64>, %C: tensor<?x?xf64>)
    -> tensor<?x?xf64> {
  %zero = arith.constant 0.0 : f64
  %start = linalg.fill ins(%zero : f64) outs(%C : tensor<?x?xf64>)
      -> tensor<?x?xf64>
  %product = linalg.generic {
      indexing_maps = [#row, #column, #result],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%A, %B : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%start : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %ab = arith.mulf %a, %b : f64
    %next = arith.addf %sum, %ab : f64
    linalg.yield %next : f64
  } -> tensor<?x?xf64>
  return %product : tensor<?x?xf64>
}

// D = A * B^T where each run of 128 elements along a row of A has a scale, and
// each block of 128 x 128 elements of B: the products of 128 elements are
// summed, then scaled.

#rowScale = affine_map<(m, n) -> (m)>
#columnScale = affine_map<(m, n) -> (n floordiv 128)>
#matrix = affine_map<(m, n) -> (m, n)>

func.func @fp8_gemm_nt_1d2d(%A: tensor<?x?xf64>, %SF_A: tensor<?x?xf64>,
                            %B: tensor<?x?xf64>, %SF_B: tensor<?x?xf64>,
                            %D: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant 0.0 : f64
  %M = tensor.dim %A, %c0 : tensor<?x?xf64>
  %N = tensor.dim %B, %c0 : tensor<?x?xf64>
  %blocksN = tensor.dim %SF_B, %c0 : tensor<?x?xf64>
  %blocksK = tensor.dim %SF_A, %c1 : tensor<?x?xf64>
  %start = linalg.fill ins(%zero : f64) outs(%D : tensor<?x?xf64>)
      -> tensor<?x?xf64>
  %result = scf.for %k = %c0 to %blocksK step %c1 iter_args(%total = %start)
      -> tensor<?x?xf64> {
    %first = arith.muli %k, %c128 : index
    %a = tensor.extract_slice %A[0, %first] [%M, 128] [1, 1]
        : tensor<?x?xf64> to tensor<?x128xf64>
    %b = tensor.extract_slice %B[0, %first] [%N, 128] [1, 1]
        : tensor<?x?xf64> to tensor<?x128xf64>
    %sfa = tensor.extract_slice %SF_A[0, %k] [%M, 1] [1, 1]
        : tensor<?x?xf64> to tensor<?xf64>
    %sfb = tensor.extract_slice %SF_B[0, %k] [%blocksN, 1] [1, 1]
        : tensor<?x?xf64> to tensor<?xf64>
    %space = tensor.empty(%M, %N) : tensor<?x?xf64>
    %none = linalg.fill ins(%zero : f64) outs(%space : tensor<?x?xf64>)
        -> tensor<?x?xf64>
    %partial = linalg.generic {
        indexing_maps = [#row, #column, #result],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<?x128xf64>, tensor<?x128xf64>)
        outs(%none : tensor<?x?xf64>) {
    ^bb0(%x: f64, %y: f64, %sum: f64):
      %xy = arith.mulf %x, %y : f64
      %next = arith.addf %sum, %xy : f64
      linalg.yield %next : f64
    } -> tensor<?x?xf64>
    %scaled = linalg.generic {
        indexing_maps = [#matrix, #rowScale, #columnScale, #matrix],
        iterator_types = ["parallel", "parallel"]}
        ins(%partial, %sfa, %sfb
            : tensor<?x?xf64>, tensor<?xf64>, tensor<?xf64>)
        outs(%total : tensor<?x?xf64>) {
    ^bb0(%p: f64, %sa: f64, %sb: f64, %sum: f64):
      %scale = arith.mulf %sa, %sb : f64
      %product = arith.mulf %p, %scale : f64
      %next = arith.addf %sum, %product : f64
      linalg.yield %next : f64
    } -> tensor<?x?xf64>
    scf.yield %scaled : tensor<?x?xf64>
  }
  return %result : tensor<?x?xf64>
}
