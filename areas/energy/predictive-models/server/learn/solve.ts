// Ridge regression. The small penalty keeps collinear variables harmless.

export type Linear = { constant: number; weights: number[] }

/** Solves A x = b for a symmetric positive definite A, by Cholesky's factors. */
const solved = (matrix: readonly Float64Array[], right: Float64Array): Float64Array => {
  const size = right.length
  const lower = Array.from({ length: size }, () => new Float64Array(size))
  for (let i = 0; i < size; i++)
    for (let k = 0; k <= i; k++) {
      let sum = matrix[i]![k]!
      for (let j = 0; j < k; j++) sum -= lower[i]![j]! * lower[k]![j]!
      lower[i]![k] = i === k ? Math.sqrt(sum) : sum / lower[k]![k]!
    }
  const x = Float64Array.from(right)
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) x[i]! -= lower[i]![k]! * x[k]!
    x[i]! /= lower[i]![i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i]! -= lower[k]![i]! * x[k]!
    x[i]! /= lower[i]![i]!
  }
  return x
}

const ridge = 1e-4

/** Ridge regression of `target` on `rows` of variables, each of which is scaled to its spread. */
export const regress = (rows: readonly Float64Array[], target: Float64Array): Linear => {
  const [count, size] = [rows.length, rows[0]!.length]
  const mean = new Float64Array(size)
  const spread = new Float64Array(size)
  for (const row of rows) for (let k = 0; k < size; k++) mean[k]! += row[k]! / count
  for (const row of rows) for (let k = 0; k < size; k++) spread[k]! += (row[k]! - mean[k]!) ** 2 / count
  const scale = spread.map((of) => Math.sqrt(of) || 1)
  const middle = target.reduce((sum, value) => sum + value, 0) / count
  const squares = Array.from({ length: size }, (_, k) => {
    const line = new Float64Array(size)
    line[k] = ridge * count
    return line
  })
  const right = new Float64Array(size)
  const scaled = new Float64Array(size)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < size; k++) scaled[k] = (rows[i]![k]! - mean[k]!) / scale[k]!
    for (let k = 0; k < size; k++) {
      right[k]! += scaled[k]! * (target[i]! - middle)
      const line = squares[k]!
      for (let j = 0; j <= k; j++) line[j]! += scaled[k]! * scaled[j]!
    }
  }
  const weights = Array.from(solved(squares, right), (weight, k) => weight / scale[k]!)
  return { constant: middle - weights.reduce((sum, weight, k) => sum + weight * mean[k]!, 0), weights }
}

export const predicted = ({ constant, weights }: Linear, row: Float64Array) => {
  let sum = constant
  for (let k = 0; k < weights.length; k++) sum += weights[k]! * row[k]!
  return sum
}
