import { randomOf } from './random.ts'
import { binned, growTree, leafValue, type TreeNode, type TreeOptions } from './tree.ts'

const treeCount = 50
const options: TreeOptions = { maxDepth: 8, leastRows: 5 }

/** Row numbers drawn with repetition, in ascending order. */
const drawn = (rows: Uint32Array, random: () => number) => Uint32Array.from(rows, () => rows[Math.floor(random() * rows.length)]!).sort()

/** A forest: each tree learns from its own sample of the rows and may split on any feature. */
const growForest = (bins: ReturnType<typeof binned>, target: Float64Array, rows: Uint32Array, seed: number) => {
  const random = randomOf(seed)
  return Array.from({ length: treeCount }, (): { tree: TreeNode; gains: Float64Array } => {
    const gains = new Float64Array(bins.of.length)
    return { tree: growTree(bins, target, drawn(rows, random), options, gains), gains }
  })
}

const shareAt = (sorted: readonly number[], share: number) => sorted[Math.round(share * (sorted.length - 1))]!

/** Which features explain the target. Shares of all that is explained; `low` and `high` bound nine of ten trees. */
export const importanceOf = (columns: readonly Float64Array[], target: Float64Array, seed: number) => {
  const rows = Uint32Array.from(target, (_, i) => i)
  const shares = growForest(binned(columns), target, rows, seed).map(({ gains }) => {
    const all = gains.reduce((sum, gain) => sum + gain, 0)
    return Array.from(gains, (gain) => (all ? gain / all : 0))
  })
  const whole = shares.reduce((sum, of) => sum + of.reduce((a, b) => a + b, 0), 0)
  return columns.map((_, feature) => {
    const own = shares.map((of) => of[feature]!).sort((a, b) => a - b)
    return {
      importance: whole ? own.reduce((a, b) => a + b, 0) / whole : 0,
      low: shareAt(own, 0.05),
      high: shareAt(own, 0.95),
    }
  })
}

/**
 * How well a forest tells the rows of a target of 0 and 1 apart. It learns from the earlier part and is tried on the later one, since rows
 * that follow each other are alike. `matrix[actual][predicted]`.
 */
export const trialOf = (columns: readonly Float64Array[], target: Float64Array, { split, seed }: { split: number; seed: number }) => {
  const bins = binned(columns)
  const learnt = Math.min(target.length - 1, Math.max(1, Math.floor(split * target.length)))
  const forest = growForest(
    bins,
    target,
    Uint32Array.from({ length: learnt }, (_, i) => i),
    seed,
  )
  const matrix: [[number, number], [number, number]] = [
    [0, 0],
    [0, 0],
  ]
  for (let row = learnt; row < target.length; row++) {
    const mean = forest.reduce((sum, { tree }) => sum + leafValue(tree, bins, row), 0) / forest.length
    matrix[target[row] as 0 | 1][Number(mean >= 0.5) as 0 | 1]++
  }
  return matrix
}

/** Null where nothing can be divided. */
export const scoresOf = (matrix: readonly (readonly number[])[]) => {
  const [[tn, fp], [fn, tp]] = matrix as [[number, number], [number, number]]
  const ratio = (of: number, whole: number) => (whole ? of / whole : null)
  const [precision, recall] = [ratio(tp, tp + fp), ratio(tp, tp + fn)]
  return {
    accuracy: ratio(tn + tp, tn + fp + fn + tp),
    precision,
    recall,
    f1: precision !== null && recall !== null ? ratio(2 * precision * recall, precision + recall) : null,
    /** Accuracy of always predicting the more frequent class (majority baseline). */
    naive: ratio(Math.max(tn + fp, fn + tp), tn + fp + fn + tp),
  }
}
