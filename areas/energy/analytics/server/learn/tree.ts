// Regression trees on binned features. Libraries sort each feature at each node, or compare each value with all others; bins take one pass.

/** Bins of a feature. */
export const mostBins = 256

export type Bins = {
  /** Bin by row, for each feature. */
  of: readonly Uint8Array[]
  /** Highest value in each bin, for each feature. A split after a bin asks for values up to it. */
  edges: readonly Float64Array[]
}
export type TreeNode = {
  samples: number
  /** Mean of the target: of a target of 0 and 1, the share of 1. */
  value: number
  split?: { feature: number; threshold: number; bin: number; left: TreeNode; right: TreeNode }
}
export type TreeOptions = { maxDepth: number; leastRows: number }

/** Bins of about as many rows each; equal values share one. */
export const binned = (columns: readonly Float64Array[]): Bins => {
  const edges = columns.map((column) => {
    const sorted = column.toSorted()
    const found: number[] = []
    for (let bin = 1; bin <= mostBins; bin++) {
      const edge = sorted[Math.ceil((bin * sorted.length) / mostBins) - 1]
      if (edge !== undefined && edge !== found.at(-1)) found.push(edge)
    }
    return Float64Array.from(found)
  })
  const binOf = (limits: Float64Array, value: number) => {
    let [low, high] = [0, limits.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (limits[middle]! < value) low = middle + 1
      else high = middle
    }
    return low
  }
  return { edges, of: columns.map((column, i) => Uint8Array.from(column, (value) => binOf(edges[i]!, value))) }
}

type Split = { feature: number; bin: number; gain: number }
type Part = { rows: Uint32Array; depth: number }

/** The split that leaves the least squared error. Of a target of 0 and 1 this is the Gini impurity, halved. */
const bestSplit = (bins: Bins, target: Float64Array, rows: Uint32Array, sum: number, leastRows: number): Split | undefined => {
  let best: Split | undefined
  const whole = sum ** 2 / rows.length
  for (const [feature, of] of bins.of.entries()) {
    const size = bins.edges[feature]!.length
    const [counts, sums] = [new Uint32Array(size), new Float64Array(size)]
    for (const row of rows) {
      counts[of[row]!]!++
      sums[of[row]!]! += target[row]!
    }
    let [count, left] = [0, 0]
    for (let bin = 0; bin < size - 1; bin++) {
      count += counts[bin]!
      left += sums[bin]!
      if (!counts[bin] || count < leastRows || rows.length - count < leastRows) continue
      const gain = left ** 2 / count + (sum - left) ** 2 / (rows.length - count) - whole
      if (gain > (best?.gain ?? 1e-9 * Math.max(1, Math.abs(whole)))) best = { feature, bin, gain }
    }
  }
  return best
}

/** Grows a tree; `gains` grows by what each feature explains. */
export const growTree = (bins: Bins, target: Float64Array, all: Uint32Array, options: TreeOptions, gains?: Float64Array): TreeNode => {
  const grow = ({ rows, depth }: Part): TreeNode => {
    let sum = 0
    for (const row of rows) sum += target[row]!
    const node: TreeNode = { samples: rows.length, value: sum / rows.length }
    const split = depth < options.maxDepth ? bestSplit(bins, target, rows, sum, options.leastRows) : undefined
    if (!split) return node
    const { feature, bin, gain } = split
    if (gains) gains[feature]! += gain
    const of = bins.of[feature]!
    const [left, right] = [rows.filter((row) => of[row]! <= bin), rows.filter((row) => of[row]! > bin)]
    node.split = {
      ...{ feature, bin, threshold: bins.edges[feature]![bin]! },
      ...{ left: grow({ rows: left, depth: depth + 1 }), right: grow({ rows: right, depth: depth + 1 }) },
    }
    return node
  }
  return grow({ rows: all, depth: 0 })
}

export const leafValue = (tree: TreeNode, bins: Bins, row: number): number => {
  let node = tree
  while (node.split) node = bins.of[node.split.feature]![row]! <= node.split.bin ? node.split.left : node.split.right
  return node.value
}
