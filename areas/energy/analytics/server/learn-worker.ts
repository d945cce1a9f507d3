import { parentPort } from 'node:worker_threads'
import { freezePrototypes } from '../../../../contract/prototypes.ts'
import { bitsOf, type Rule, rulesOf } from './learn/apriori.ts'
import { importanceOf, trialOf } from './learn/forest.ts'
import { binned, growTree, leafValue, type TreeNode } from './learn/tree.ts'

freezePrototypes()

type Table = { columns: Float64Array[]; target: Float64Array }
export type LearningJob =
  | ({ kind: 'importance'; seed: number } & Table)
  | ({ kind: 'trial'; seed: number; split: number } & Table)
  | ({ kind: 'tree'; maxDepth: number } & Table)
  | { kind: 'rules'; items: { key: string; of: string; hours: Uint8Array }[]; hours: number; support: number; confidence: number }
export type Learnt = {
  importance: { importance: number; low: number; high: number }[]
  trial: [[number, number], [number, number]]
  tree: { tree: TreeNode; accuracy: number }
  rules: Rule[]
}

const treeOf = ({ columns, target, maxDepth }: Extract<LearningJob, { kind: 'tree' }>) => {
  const bins = binned(columns)
  const rows = Uint32Array.from(target, (_, i) => i)
  const tree = growTree(bins, target, rows, { maxDepth, leastRows: Math.max(5, Math.ceil(rows.length / 100)) })
  const right = rows.filter((row) => Number(leafValue(tree, bins, row) >= 0.5) === target[row]).length
  return { tree, accuracy: right / rows.length }
}
const work = (job: LearningJob): Learnt[LearningJob['kind']] => {
  if (job.kind === 'importance') return importanceOf(job.columns, job.target, job.seed)
  if (job.kind === 'trial') return trialOf(job.columns, job.target, job)
  if (job.kind === 'tree') return treeOf(job)
  const items = job.items.map(({ key, of, hours }) => ({ key, of, hours: bitsOf(Array.from(hours, Boolean)) }))
  return rulesOf(items, job.hours, job)
}

parentPort!.on('message', (job: LearningJob) => {
  try {
    parentPort!.postMessage({ done: work(job) })
  } catch (error) {
    parentPort!.postMessage(error instanceof RangeError ? { refused: 'analytics.manyRules' } : { failed: String((error as Error).stack) })
  }
})
