// References of the attention tasks, in double precision: any B, H, S and D,
// all tensors row-major. A block of rows of the scores is there at a time.

#queryRow = affine_map<(r, n, d) -> (r, d)>
#keyRow = affine_map<(r, n, d) -> (n, d)>
#score = affine_map<(r, n, d) -> (r, n)>
#matrix = affine_map<(r, n) -> (r, n)>
#ofRow = affine_map<(r, n) -> (r)>
#vector = affine_map<(r) -> (r)>

// Scores of `q` against `k` times `scale`; where the mask holds, those of keys
// behind the query are -inf. `first` is the position of q's first row.
func.func private @scores(%q: tensor<?x?xf64>, %k: tensor<?x?xf64>, %scale: f64,
                          %causal: i1, %first: index) -> tensor<?x?xf64> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f64
  %hidden = arith.constant 0xFFF0000000000000 : f64
  %rows = tensor.dim %q, %c0 : tensor<?x?xf64>
  %keys = tensor.dim %k, %c0 : tensor<?x?xf64>
  %space = tensor.empty(%rows, %keys) : tensor<?x?xf64>
  %start = linalg.fill ins(%zero : f64) outs(%space : tensor<?x?xf64>)
      -> tensor<?x?xf64>
  %product = linalg.generic {
      indexing_maps = [#queryRow, #keyRow, #score],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%start : tensor<?x?xf64>) {
  ^bb0(%a: f64, %b: f64, %sum: f64):
    %ab = arith.mulf %a, %b : f64
    %next = arith.addf %sum, %ab : f64
    linalg.yield %next : f64
  } -> tensor<?x?xf64>
  %scores = linalg.generic {
      indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]}
      outs(%product : tensor<?x?xf64>) {
  ^bb0(%s: f64):
    %scaled = arith.mulf %s, %scale : f64
    %r = linalg.index 0 : index
    %query = arith.addi %first, %r : index
    %key = linalg.index 1 : index
    %behind = arith.cmpi ugt, %key, %query : index
    %masked = arith.andi %behind, %causal : i1
    %seen = arith.select %masked, %hidden, %scaled : f64
    linalg.yield %seen : f64
  } -> tensor<?x?xf64>
  return %scores : tensor<?x?xf64>
}

// 1 / sqrt(D)
func.func private @scale(%Q: tensor<?x?x?x?xf64>) -> f64 {
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %D = tensor.dim %Q, %c3 : tensor<?x?x?x?xf64>
  %integer = arith.index_cast %D : index to i64
  %d = arith.sitofp %integer : i64 to f64
  %root = math.sqrt %d : f64
  %scale = arith.divf %one, %root : f64
  return %scale : f64
}

// O = softmax(Q * K^T * scale) * V, LSE = log(sum(exp(Q * K^T * scale)))
func.func private @attend(%Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>,
                          %V: tensor<?x?x?x?xf64>, %O: tensor<?x?x?x?xf64>,
                          %LSE: tensor<?x?x?xf64>, %causal: i1)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %block = arith.constant 128 : index
  %zero = arith.constant 0.0 : f64
  %least = arith.constant 0xFFF0000000000000 : f64
  %B = tensor.dim %Q, %c0 : tensor<?x?x?x?xf64>
  %H = tensor.dim %Q, %c1 : tensor<?x?x?x?xf64>
  %S = tensor.dim %Q, %c2 : tensor<?x?x?x?xf64>
  %D = tensor.dim %Q, %c3 : tensor<?x?x?x?xf64>
  %scale = func.call @scale(%Q) : (tensor<?x?x?x?xf64>) -> f64
  %result:2 = scf.for %b = %c0 to %B step %c1
      iter_args(%Ob = %O, %Lb = %LSE)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
    %ofBatch:2 = scf.for %h = %c0 to %H step %c1
        iter_args(%Oh = %Ob, %Lh = %Lb)
        -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
      %ofHead:2 = scf.for %i = %c0 to %S step %block
          iter_args(%Oi = %Oh, %Li = %Lh)
          -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
        %left = arith.subi %S, %i : index
        %rows = arith.minui %left, %block : index
        %end = arith.addi %i, %rows : index
        %keys = arith.select %causal, %end, %S : index
        %q = tensor.extract_slice %Q[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %k = tensor.extract_slice %K[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %v = tensor.extract_slice %V[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %s = func.call @scores(%q, %k, %scale, %causal, %i)
            : (tensor<?x?xf64>, tensor<?x?xf64>, f64, i1, index)
            -> tensor<?x?xf64>

        %ofRows = tensor.empty(%rows) : tensor<?xf64>
        %lowest = linalg.fill ins(%least : f64) outs(%ofRows : tensor<?xf64>)
            -> tensor<?xf64>
        %max = linalg.generic {
            indexing_maps = [#matrix, #ofRow],
            iterator_types = ["parallel", "reduction"]}
            ins(%s : tensor<?x?xf64>) outs(%lowest : tensor<?xf64>) {
        ^bb0(%x: f64, %m: f64):
          %next = arith.maximumf %x, %m : f64
          linalg.yield %next : f64
        } -> tensor<?xf64>
        %p = linalg.generic {
            indexing_maps = [#ofRow, #matrix],
            iterator_types = ["parallel", "parallel"]}
            ins(%max : tensor<?xf64>) outs(%s : tensor<?x?xf64>) {
        ^bb0(%m: f64, %x: f64):
          %below = arith.subf %x, %m : f64
          %e = math.exp %below : f64
          linalg.yield %e : f64
        } -> tensor<?x?xf64>
        %none = linalg.fill ins(%zero : f64) outs(%ofRows : tensor<?xf64>)
            -> tensor<?xf64>
        %sum = linalg.generic {
            indexing_maps = [#matrix, #ofRow],
            iterator_types = ["parallel", "reduction"]}
            ins(%p : tensor<?x?xf64>) outs(%none : tensor<?xf64>) {
        ^bb0(%x: f64, %t: f64):
          %next = arith.addf %x, %t : f64
          linalg.yield %next : f64
        } -> tensor<?xf64>

        %o = tensor.extract_slice %Oi[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %empty = linalg.fill ins(%zero : f64) outs(%o : tensor<?x?xf64>)
            -> tensor<?x?xf64>
        %weighted = linalg.generic {
            indexing_maps = [#score, #keyRow, #queryRow],
            iterator_types = ["parallel", "reduction", "parallel"]}
            ins(%p, %v : tensor<?x?xf64>, tensor<?x?xf64>)
            outs(%empty : tensor<?x?xf64>) {
        ^bb0(%a: f64, %c: f64, %t: f64):
          %ac = arith.mulf %a, %c : f64
          %next = arith.addf %t, %ac : f64
          linalg.yield %next : f64
        } -> tensor<?x?xf64>
        %average = linalg.generic {
            indexing_maps = [#ofRow, #matrix],
            iterator_types = ["parallel", "parallel"]}
            ins(%sum : tensor<?xf64>) outs(%weighted : tensor<?x?xf64>) {
        ^bb0(%t: f64, %x: f64):
          %y = arith.divf %x, %t : f64
          linalg.yield %y : f64
        } -> tensor<?x?xf64>
        %Onext = tensor.insert_slice %average into
            %Oi[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?xf64> into tensor<?x?x?x?xf64>

        %l = tensor.extract_slice %Li[%b, %h, %i] [1, 1, %rows] [1, 1, 1]
            : tensor<?x?x?xf64> to tensor<?xf64>
        %lse = linalg.generic {
            indexing_maps = [#vector, #vector, #vector],
            iterator_types = ["parallel"]}
            ins(%max, %sum : tensor<?xf64>, tensor<?xf64>)
            outs(%l : tensor<?xf64>) {
        ^bb0(%m: f64, %t: f64, %old: f64):
          %log = math.log %t : f64
          %y = arith.addf %m, %log : f64
          linalg.yield %y : f64
        } -> tensor<?xf64>
        %Lnext = tensor.insert_slice %lse into
            %Li[%b, %h, %i] [1, 1, %rows] [1, 1, 1]
            : tensor<?xf64> into tensor<?x?x?xf64>
        scf.yield %Onext, %Lnext : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
      }
      scf.yield %ofHead#0, %ofHead#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
    }
    scf.yield %ofBatch#0, %ofBatch#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
  }
  return %result#0, %result#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

func.func @forward(%Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>,
                   %V: tensor<?x?x?x?xf64>, %O: tensor<?x?x?x?xf64>,
                   %LSE: tensor<?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %causal = arith.constant false
  %result:2 = func.call @attend(%Q, %K, %V, %O, %LSE, %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, i1)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>)
  return %result#0, %result#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

func.func @forward_causal(%Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>,
                          %V: tensor<?x?x?x?xf64>, %O: tensor<?x?x?x?xf64>,
                          %LSE: tensor<?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %causal = arith.constant true
  %result:2 = func.call @attend(%Q, %K, %V, %O, %LSE, %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, i1)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>)
  return %result#0, %result#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

//===----------------------------------------------------------------------===//
// fp8: tensors with a scale each
//===----------------------------------------------------------------------===//

#all = affine_map<(b, h, s, d) -> (b, h, s, d)>

func.func private @multiply(%X: tensor<?x?x?x?xf64>,
                            %factors: tensor<1x1x1x1xf64>)
    -> tensor<?x?x?x?xf64> {
  %c0 = arith.constant 0 : index
  %factor = tensor.extract %factors[%c0, %c0, %c0, %c0] : tensor<1x1x1x1xf64>
  %Y = linalg.generic {
      indexing_maps = [#all, #all],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%X : tensor<?x?x?x?xf64>) outs(%X : tensor<?x?x?x?xf64>) {
  ^bb0(%x: f64, %old: f64):
    %y = arith.mulf %x, %factor : f64
    linalg.yield %y : f64
  } -> tensor<?x?x?x?xf64>
  return %Y : tensor<?x?x?x?xf64>
}

func.func @fp8_forward(%Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>,
                       %V: tensor<?x?x?x?xf64>,
                       %descale_q: tensor<1x1x1x1xf64>,
                       %descale_k: tensor<1x1x1x1xf64>,
                       %descale_v: tensor<1x1x1x1xf64>,
                       %O: tensor<?x?x?x?xf64>, %LSE: tensor<?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %causal = arith.constant false
  %q = func.call @multiply(%Q, %descale_q)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %k = func.call @multiply(%K, %descale_k)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %v = func.call @multiply(%V, %descale_v)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %result:2 = func.call @attend(%q, %k, %v, %O, %LSE, %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, i1)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>)
  return %result#0, %result#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

func.func @fp8_forward_causal(%Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>,
                              %V: tensor<?x?x?x?xf64>,
                              %descale_q: tensor<1x1x1x1xf64>,
                              %descale_k: tensor<1x1x1x1xf64>,
                              %descale_v: tensor<1x1x1x1xf64>,
                              %O: tensor<?x?x?x?xf64>, %LSE: tensor<?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>) {
  %causal = arith.constant true
  %q = func.call @multiply(%Q, %descale_q)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %k = func.call @multiply(%K, %descale_k)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %v = func.call @multiply(%V, %descale_v)
      : (tensor<?x?x?x?xf64>, tensor<1x1x1x1xf64>) -> tensor<?x?x?x?xf64>
  %result:2 = func.call @attend(%q, %k, %v, %O, %LSE, %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, i1)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?xf64>)
  return %result#0, %result#1 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

// With P = exp(Q * K^T * scale - LSE) and dS = P o (dO * V^T - rowsum(dO o O)):
// dQ = dS * K * scale, dK = dS^T * Q * scale, dV = P^T * dO. A block of rows of
// P adds to all of dK and dV.

// X[n, d] += sum over r of weight[r, n] * row[r, d]
#weight = affine_map<(n, r, d) -> (r, n)>
#row = affine_map<(n, r, d) -> (r, d)>
#gradient = affine_map<(n, r, d) -> (n, d)>

func.func private @addProduct(%weights: tensor<?x?xf64>, %rows: tensor<?x?xf64>,
                              %sum: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %next = linalg.generic {
      indexing_maps = [#weight, #row, #gradient],
      iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%weights, %rows : tensor<?x?xf64>, tensor<?x?xf64>)
      outs(%sum : tensor<?x?xf64>) {
  ^bb0(%w: f64, %x: f64, %t: f64):
    %wx = arith.mulf %w, %x : f64
    %y = arith.addf %t, %wx : f64
    linalg.yield %y : f64
  } -> tensor<?x?xf64>
  return %next : tensor<?x?xf64>
}

func.func private @differentiate(
    %Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>, %V: tensor<?x?x?x?xf64>,
    %O: tensor<?x?x?x?xf64>, %dO: tensor<?x?x?x?xf64>, %LSE: tensor<?x?x?xf64>,
    %dQ: tensor<?x?x?x?xf64>, %dK: tensor<?x?x?x?xf64>,
    %dV: tensor<?x?x?x?xf64>, %causal: i1)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %block = arith.constant 128 : index
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1.0 : f64
  %false = arith.constant false
  %B = tensor.dim %Q, %c0 : tensor<?x?x?x?xf64>
  %H = tensor.dim %Q, %c1 : tensor<?x?x?x?xf64>
  %S = tensor.dim %Q, %c2 : tensor<?x?x?x?xf64>
  %D = tensor.dim %Q, %c3 : tensor<?x?x?x?xf64>
  %scale = func.call @scale(%Q) : (tensor<?x?x?x?xf64>) -> f64
  %dQ0 = linalg.fill ins(%zero : f64) outs(%dQ : tensor<?x?x?x?xf64>)
      -> tensor<?x?x?x?xf64>
  %dK0 = linalg.fill ins(%zero : f64) outs(%dK : tensor<?x?x?x?xf64>)
      -> tensor<?x?x?x?xf64>
  %dV0 = linalg.fill ins(%zero : f64) outs(%dV : tensor<?x?x?x?xf64>)
      -> tensor<?x?x?x?xf64>
  %result:3 = scf.for %b = %c0 to %B step %c1
      iter_args(%dQb = %dQ0, %dKb = %dK0, %dVb = %dV0)
      -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
    %ofBatch:3 = scf.for %h = %c0 to %H step %c1
        iter_args(%dQh = %dQb, %dKh = %dKb, %dVh = %dVb)
        -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
      %ofHead:3 = scf.for %i = %c0 to %S step %block
          iter_args(%dQi = %dQh, %dKi = %dKh, %dVi = %dVh)
          -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
        %left = arith.subi %S, %i : index
        %rows = arith.minui %left, %block : index
        %end = arith.addi %i, %rows : index
        %keys = arith.select %causal, %end, %S : index
        %q = tensor.extract_slice %Q[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %k = tensor.extract_slice %K[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %v = tensor.extract_slice %V[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %o = tensor.extract_slice %O[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %g = tensor.extract_slice %dO[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %lse = tensor.extract_slice %LSE[%b, %h, %i] [1, 1, %rows] [1, 1, 1]
            : tensor<?x?x?xf64> to tensor<?xf64>

        %s = func.call @scores(%q, %k, %scale, %causal, %i)
            : (tensor<?x?xf64>, tensor<?x?xf64>, f64, i1, index)
            -> tensor<?x?xf64>
        %p = linalg.generic {
            indexing_maps = [#ofRow, #matrix],
            iterator_types = ["parallel", "parallel"]}
            ins(%lse : tensor<?xf64>) outs(%s : tensor<?x?xf64>) {
        ^bb0(%l: f64, %x: f64):
          %below = arith.subf %x, %l : f64
          %e = math.exp %below : f64
          linalg.yield %e : f64
        } -> tensor<?x?xf64>

        %ofRows = tensor.empty(%rows) : tensor<?xf64>
        %none = linalg.fill ins(%zero : f64) outs(%ofRows : tensor<?xf64>)
            -> tensor<?xf64>
        %delta = linalg.generic {
            indexing_maps = [#matrix, #matrix, #ofRow],
            iterator_types = ["parallel", "reduction"]}
            ins(%g, %o : tensor<?x?xf64>, tensor<?x?xf64>)
            outs(%none : tensor<?xf64>) {
        ^bb0(%x: f64, %y: f64, %t: f64):
          %xy = arith.mulf %x, %y : f64
          %next = arith.addf %t, %xy : f64
          linalg.yield %next : f64
        } -> tensor<?xf64>

        // dO * V^T, and from it dS * scale.
        %dp = func.call @scores(%g, %v, %one, %false, %i)
            : (tensor<?x?xf64>, tensor<?x?xf64>, f64, i1, index)
            -> tensor<?x?xf64>
        %ds = linalg.generic {
            indexing_maps = [#matrix, #ofRow, #matrix],
            iterator_types = ["parallel", "parallel"]}
            ins(%p, %delta : tensor<?x?xf64>, tensor<?xf64>)
            outs(%dp : tensor<?x?xf64>) {
        ^bb0(%w: f64, %t: f64, %x: f64):
          %below = arith.subf %x, %t : f64
          %weighted = arith.mulf %w, %below : f64
          %y = arith.mulf %weighted, %scale : f64
          linalg.yield %y : f64
        } -> tensor<?x?xf64>

        %dq = tensor.extract_slice %dQi[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %dqNext = linalg.generic {
            indexing_maps = [#score, #keyRow, #queryRow],
            iterator_types = ["parallel", "reduction", "parallel"]}
            ins(%ds, %k : tensor<?x?xf64>, tensor<?x?xf64>)
            outs(%dq : tensor<?x?xf64>) {
        ^bb0(%a: f64, %c: f64, %t: f64):
          %ac = arith.mulf %a, %c : f64
          %next = arith.addf %t, %ac : f64
          linalg.yield %next : f64
        } -> tensor<?x?xf64>
        %dQnext = tensor.insert_slice %dqNext into
            %dQi[%b, %h, %i, 0] [1, 1, %rows, %D] [1, 1, 1, 1]
            : tensor<?x?xf64> into tensor<?x?x?x?xf64>

        %dk = tensor.extract_slice %dKi[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %dkNext = func.call @addProduct(%ds, %q, %dk)
            : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
            -> tensor<?x?xf64>
        %dKnext = tensor.insert_slice %dkNext into
            %dKi[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?xf64> into tensor<?x?x?x?xf64>
        %dv = tensor.extract_slice %dVi[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?x?x?xf64> to tensor<?x?xf64>
        %dvNext = func.call @addProduct(%p, %g, %dv)
            : (tensor<?x?xf64>, tensor<?x?xf64>, tensor<?x?xf64>)
            -> tensor<?x?xf64>
        %dVnext = tensor.insert_slice %dvNext into
            %dVi[%b, %h, 0, 0] [1, 1, %keys, %D] [1, 1, 1, 1]
            : tensor<?x?xf64> into tensor<?x?x?x?xf64>
        scf.yield %dQnext, %dKnext, %dVnext
            : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
      }
      scf.yield %ofHead#0, %ofHead#1, %ofHead#2
          : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
    }
    scf.yield %ofBatch#0, %ofBatch#1, %ofBatch#2
        : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
  }
  return %result#0, %result#1, %result#2
      : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
}

func.func @backward(
    %Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>, %V: tensor<?x?x?x?xf64>,
    %O: tensor<?x?x?x?xf64>, %dO: tensor<?x?x?x?xf64>, %LSE: tensor<?x?x?xf64>,
    %dQ: tensor<?x?x?x?xf64>, %dK: tensor<?x?x?x?xf64>,
    %dV: tensor<?x?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
  %causal = arith.constant false
  %result:3 = func.call @differentiate(%Q, %K, %V, %O, %dO, %LSE, %dQ, %dK, %dV,
                                       %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         i1) -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>)
  return %result#0, %result#1, %result#2
      : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
}

func.func @backward_causal(
    %Q: tensor<?x?x?x?xf64>, %K: tensor<?x?x?x?xf64>, %V: tensor<?x?x?x?xf64>,
    %O: tensor<?x?x?x?xf64>, %dO: tensor<?x?x?x?xf64>, %LSE: tensor<?x?x?xf64>,
    %dQ: tensor<?x?x?x?xf64>, %dK: tensor<?x?x?x?xf64>,
    %dV: tensor<?x?x?x?xf64>)
    -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>) {
  %causal = arith.constant true
  %result:3 = func.call @differentiate(%Q, %K, %V, %O, %dO, %LSE, %dQ, %dK, %dV,
                                       %causal)
      : (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?xf64>,
         tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>,
         i1) -> (tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>)
  return %result#0, %result#1, %result#2
      : tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>
}
