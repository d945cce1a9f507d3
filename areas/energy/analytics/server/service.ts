// Questions to the values of circuits and points. None of them stores anything.
import { sql } from 'kysely'
import type { Answer, Query } from '../../../../contract/call.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { ownTurn } from '../../../../server/jobs/ownTurn.ts'
import { visible } from '../../../../server/resource/sql.ts'
import { indexAt } from '../../../../server/telemetry/meaning/counter.ts'
import { alarmInfo } from '../../../alarms/alarms/contract.ts'
import { type analyticsCalls, type DecisionNode, deepestTree, fewestRows, mostFeatures } from '../contract.ts'
import { type Column, completeRows, type Dataset, datasetOf, picked, type Range, type Reader } from './dataset.ts'
import { scoresOf } from './learn/forest.ts'
import { histogramOf, quantileOf } from './learn/histogram.ts'
import type { TreeNode } from './learn/tree.ts'
import { learn } from './learning.ts'

export { type Column, datasetOf, type Reader } from './dataset.ts'

const numbersIn = (list: string | undefined) => (list ? [...new Set(list.split(',').map(Number))] : [])
const nothingKnown = () => new FieldFaults([{ field: 'Start', rule: 'analytics.fewRows', values: { min: fewestRows } }])

type One = { EnergyInfoId?: number; ParaId?: number }
const given = (id: number | undefined) => (id === undefined ? [] : [id])
/** Exactly one of a circuit and a point. Two are refused once the reader is known to see both. */
const oneOf = ({ EnergyInfoId, ParaId }: One, prefix = '') => {
  const of = { circuits: given(EnergyInfoId), points: given(ParaId) }
  const assertOne = () => {
    if (of.circuits.length + of.points.length !== 1)
      throw new FieldFaults([{ field: `${prefix}EnergyInfoId`, rule: 'analytics.oneTarget' }])
  }
  if (!of.circuits.length && !of.points.length) assertOne()
  return { ...of, assertOne }
}
/** The values of one circuit or point. */
const columnOf = async (reader: Reader, query: One & Range) => {
  const one = oneOf(query)
  const { edges, columns } = await datasetOf(reader, one, query)
  one.assertOne()
  return { edges, columns }
}

export const specificPeriod = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.specificPeriod>,
): Promise<Answer<typeof analyticsCalls.specificPeriod>> => {
  const { edges, columns } = await columnOf(reader, query)
  return Array.from(columns[0]?.values ?? [], (value, i) => ({ Time: edges[i]!, Value: Number.isNaN(value) ? null : value }))
}

export const histogram = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.histogram>,
): Promise<Answer<typeof analyticsCalls.histogram>> => {
  const { columns } = await columnOf(reader, query)
  const { rows, leftOut } = completeRows(columns)
  if (!rows.length) throw new FieldFaults([{ field: 'Start', rule: 'analytics.noRows' }])
  const { edges, counts, mean, std, p5, p50, p80, p95 } = histogramOf(picked(columns[0]!.values, rows), query.Bins)
  return { Rows: rows.length, LeftOut: leftOut, Edges: edges, Counts: counts, Mean: mean, Std: std, P5: p5, P50: p50, P80: p80, P95: p95 }
}

type Target = { TargetEnergyInfoId?: number; TargetParaId?: number }
type Features = { EnergyInfoIds?: string; ParaIds?: string }
/** The target, and what may explain it, of the periods in which all of it is known. */
const tableOf = async (reader: Reader, query: Target & Features & Range) => {
  const { TargetEnergyInfoId, TargetParaId } = query
  const own = oneOf(
    { ...(TargetEnergyInfoId && { EnergyInfoId: TargetEnergyInfoId }), ...(TargetParaId && { ParaId: TargetParaId }) },
    'Target',
  )
  const [circuits, points] = [numbersIn(query.EnergyInfoIds), numbersIn(query.ParaIds)]
  if (!circuits.length && !points.length) throw new FieldFaults([{ field: 'EnergyInfoIds', rule: 'required' }])
  if (circuits.length + points.length > mostFeatures)
    throw new FieldFaults([
      { field: points.length ? 'ParaIds' : 'EnergyInfoIds', rule: 'analytics.manyFeatures', values: { max: mostFeatures } },
    ])
  for (const [field, ids, target] of [
    ['EnergyInfoIds', circuits, TargetEnergyInfoId],
    ['ParaIds', points, TargetParaId],
  ] as const)
    if (ids.includes(target!)) throw new FieldFaults([{ field, rule: 'analytics.ownTarget' }])
  const { columns } = await datasetOf(reader, { circuits: [...circuits, ...own.circuits], points: [...points, ...own.points] }, query)
  own.assertOne()
  const key = own.circuits.length ? `e${own.circuits[0]}` : `p${own.points[0]}`
  const { rows, leftOut } = completeRows(columns)
  if (rows.length < fewestRows) throw nothingKnown()
  const target = columns.find((column) => column.key === key)!
  const features = columns.filter((column) => column !== target)
  return {
    target,
    features,
    rows,
    leftOut,
    values: picked(target.values, rows),
    columns: features.map(({ values }) => picked(values, rows)),
  }
}
const assertVaries = (values: Float64Array, key: string) => {
  if (values.every((value) => value === values[0]))
    throw new FieldFaults([{ field: key.startsWith('e') ? 'TargetEnergyInfoId' : 'TargetParaId', rule: 'analytics.constant' }])
}

export const featureImportance = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.featureImportance>,
): Promise<Answer<typeof analyticsCalls.featureImportance>> => {
  const { features, values, columns, target } = await tableOf(reader, query)
  assertVaries(values, target.key)
  const found = await learn<'importance'>({ kind: 'importance', columns, target: values, seed: query.Seed ?? 1 })
  return found
    .map(({ importance, low, high }, i) => ({ Feature: features[i]!.key, Importance: importance, Low: low, High: high }))
    .sort((a, b) => b.Importance - a.Importance)
}

/** The same with a target of yes and no. */
const answeredTable = async (reader: Reader, query: Target & Features & Range & { Threshold?: number }) => {
  const table = await tableOf(reader, query)
  const { Threshold } = query
  if (!table.target.isState && Threshold === undefined) throw new FieldFaults([{ field: 'Threshold', rule: 'required' }])
  const values = table.target.isState ? table.values : table.values.map((value) => Number(value > Threshold!))
  assertVaries(values, table.target.key)
  return { ...table, values }
}

export const trainModel = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.trainModel>,
): Promise<Answer<typeof analyticsCalls.trainModel>> => {
  const { columns, values, rows, leftOut } = await answeredTable(reader, query)
  const { Split = 0.8, Seed = 1 } = query
  const Matrix = await learn<'trial'>({ kind: 'trial', columns, target: values, split: Split, seed: Seed })
  const { accuracy, precision, recall, f1, naive } = scoresOf(Matrix)
  return { Rows: rows.length, LeftOut: leftOut, Accuracy: accuracy, Precision: precision, Recall: recall, F1: f1, Naive: naive, Matrix }
}

const shownNode = (node: TreeNode, features: readonly Column[]): DecisionNode => ({
  ...{ Samples: node.samples, Value: node.value },
  ...(node.split
    ? {
        ...{ Feature: features[node.split.feature]!.key, Threshold: node.split.threshold },
        ...{ Left: shownNode(node.split.left, features), Right: shownNode(node.split.right, features) },
      }
    : {}),
})

export const decisionTree = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.decisionTree>,
): Promise<Answer<typeof analyticsCalls.decisionTree>> => {
  const { columns, values, rows, leftOut, features } = await answeredTable(reader, query)
  const { tree, accuracy } = await learn<'tree'>({
    kind: 'tree',
    columns,
    target: values,
    maxDepth: Math.min(query.MaxDepth ?? 4, deepestTree),
  })
  const share = tree.value
  return { Rows: rows.length, LeftOut: leftOut, Accuracy: accuracy, Naive: Math.max(share, 1 - share), Tree: shownNode(tree, features) }
}

type HourItem = { key: string; of: string; hours: Uint8Array }
/** On, low and high by hour. */
const itemsOf = ({ key, values, onMs, isState }: Column): HourItem[] => {
  if (isState) return [{ key: `${key}.on`, of: key, hours: Uint8Array.from(onMs!, (ms) => Number(ms > 0)) }]
  const sorted = values.filter((value) => !Number.isNaN(value)).sort()
  if (!sorted.length || sorted[0] === sorted.at(-1)) return []
  const [low, high] = [quantileOf(sorted, 0.1), quantileOf(sorted, 0.9)]
  return [
    { key: `${key}.low`, of: key, hours: Uint8Array.from(values, (value) => Number(value <= low)) },
    { key: `${key}.high`, of: key, hours: Uint8Array.from(values, (value) => Number(value >= high)) },
  ]
}

/** Marks hours with an active alarm. Sweeps over start and end times, because alarms are many and overlap. */
const activeHours = (alarms: readonly { From: number; Until: number | null }[], edges: readonly number[]) => {
  const [hours, changes] = [new Uint8Array(edges.length - 1), new Int32Array(edges.length)]
  for (const { From, Until } of alarms) {
    const first = Math.max(0, indexAt(edges, From))
    // The end time is exclusive.
    const end = Until === null ? hours.length : Math.min(hours.length, indexAt(edges, Until - 1) + 1)
    if (end <= first) continue
    changes[first]!++
    changes[end]!--
  }
  for (let i = 0, active = 0; i < hours.length; i++) {
    active += changes[i]!
    hours[i] = Number(active > 0)
  }
  return hours
}

/** Alarms that are looked at. */
const mostAlarms = 100_000
/** The hours in which an alarm of the point was active. Who may not list alarms gets none. */
const alarmItems = async ({ db, actor }: Reader, points: readonly number[], edges: Dataset['edges']): Promise<HourItem[]> => {
  if (!points.length || edges.length < 2 || !actor.may.has(alarmInfo.permission)) return []
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const rows = await db.rows<{ ParaId: number; From: number; Until: number | null }>(sql`
    select t."ParaId", (extract(epoch from t."StartTime") * 1000)::float8 as "From", (extract(epoch from t."RecoverTime") * 1000)::float8 as "Until"
    from alarm_info t
    where t."ParaId" = any(${[...points]}::bigint[]) and t."StartTime" < to_timestamp(${end / 1000})
      and (t."RecoverTime" is null or t."RecoverTime" > to_timestamp(${start / 1000})) and ${visible(alarmInfo, actor)}
    order by t."StartTime" desc limit ${mostAlarms}`)
  const byPoint = Map.groupBy(rows, ({ ParaId }) => ParaId)
  return [...byPoint].map(([point, alarms]) => ({ key: `p${point}.alarm`, of: `p${point} alarm`, hours: activeHours(alarms, edges) }))
}

export const apriori = async (
  reader: Reader,
  query: Query<typeof analyticsCalls.apriori>,
): Promise<Answer<typeof analyticsCalls.apriori>> => {
  const [circuits, points] = [numbersIn(query.EnergyInfoIds), numbersIn(query.ParaIds)]
  if (!circuits.length && !points.length) throw new FieldFaults([{ field: 'EnergyInfoIds', rule: 'required' }])
  const { edges, columns } = await datasetOf(reader, { circuits, points }, { ...query, Step: 'hour' })
  const hours = edges.length - 1
  if (hours < fewestRows) throw nothingKnown()
  const items: HourItem[] = []
  for (const column of columns) {
    items.push(...itemsOf(column))
    await ownTurn()
  }
  items.push(...(await alarmItems(reader, points, edges)))
  const { MinSupport = 0.1, MinConfidence = 0.6 } = query
  const rules = await learn<'rules'>({ kind: 'rules', items, hours, support: MinSupport, confidence: MinConfidence })
  return rules.map((rule) => ({
    If: rule.premises,
    Then: rule.conclusion,
    Support: rule.support,
    Confidence: rule.confidence,
    Lift: rule.lift,
  }))
}
