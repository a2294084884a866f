// Y = X * factor + shift, negated if `negate` is not 0.
#map = affine_map<(n, d) -> (n, d)>
func.func @reference(%X: tensor<?x4xf64>, %factor: f64, %shift: f64,
                     %negate: f64, %Y: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %zero = arith.constant 0.0 : f64
  %isNegated = arith.cmpf une, %negate, %zero : f64
  %result = linalg.generic {indexing_maps = [#map, #map],
      iterator_types = ["parallel", "parallel"]}
      ins(%X : tensor<?x4xf64>) outs(%Y : tensor<?x4xf64>) {
  ^bb0(%x: f64, %old: f64):
    %scaled = arith.mulf %x, %factor : f64
    %shifted = arith.addf %scaled, %shift : f64
    %negated = arith.negf %shifted : f64
    %y = arith.select %isNegated, %negated, %shifted : f64
    linalg.yield %y : f64
  } -> tensor<?x4xf64>
  return %result : tensor<?x4xf64>
}
