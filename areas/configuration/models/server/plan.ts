// Plans the changes that a version of a model makes to devices. Pure, shared by preview and application.
import { Compile } from 'typebox/compile'
import { fill, numbersOf, type Parameter } from '../../../../contract/model-text.ts'
import { columnFields } from '../../../../contract/point-fields.ts'
import { pointRules } from '../../../../contract/point-rules.ts'
import { addressFault, placeOf } from '../../../../contract/protocols/index.ts'
import { valueSchema } from '../../../../contract/resource.ts'
import { brokenRules } from '../../../../contract/rules.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'

export type Values = Record<string, unknown>
export type Point = Values & { Id: number; DeviceId: number; ParaName: string; ModelParaId: number | null; Overrides: string[] | null } & {
  /** The model's values behind the overrides. */
  ModelGave?: Values | null
}
export type Version = { ModelId: number; Version: number; Parameters: readonly Parameter[]; Points: readonly (Values & { Id: number })[] }
export type Device = { Id: number; DeviceName: string; ModelId: number | null; ModelVersion: number | null } & {
  ModelValues: string | null
  SlaveNumber: number
  /** Its channel and the channel's protocol. */
  Bus: string
  Protocol: number
  /** Identifies the device on buses without unit IDs. */
  Unit: string
}
export type Cell = { Field: string; Before: unknown; After: unknown }
/** Why a row is invalid. `Reason` names a field rule. */
export type Obstacle = { ParaName: string; Field: string; Reason: string; Values: Record<string, string | number> }
export type Change = { point: Point; values: Values; cells: Cell[] }
export type DevicePlan = {
  device: Device
  add: Values[]
  change: Change[]
  kept: { point: Point; cells: Cell[] }[]
  gone: Point[]
  /** Model values behind the overrides. */
  gave: Pick<Point, 'Id' | 'Overrides' | 'ModelGave'>[]
  obstacles: Obstacle[]
}

const filledFields = ['ParaName', 'Address', 'SlaveNumber'] as const
const checks = Object.fromEntries(filledFields.map((name) => [name, Compile(valueSchema(columnFields[name]))]))

/** A row of the model with a device's values, or the reasons why it is invalid. Without a protocol, its address is not checked. */
export const render = (row: Values, numbers: ReadonlyMap<string, number>, columns: readonly string[], protocol?: number) => {
  const values = Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))
  const obstacles: Obstacle[] = []
  for (const name of filledFields) {
    if (!(name in values)) continue
    const filled = fill(String(row[name]), numbers)
    const refuse = (Reason: string, Values: Obstacle['Values'] = {}) =>
      obstacles.push({ ParaName: String(row.ParaName), Field: name, Reason, Values })
    if ('fault' in filled) {
      refuse(filled.fault, 'name' in filled ? { name: filled.name } : {})
      continue
    }
    values[name] = name === 'SlaveNumber' ? Number(filled.text) : filled.text
    const isWrong = name === 'Address' && protocol !== undefined && addressFault(protocol, filled.text) !== undefined
    if (isWrong || !checks[name]!.Check(values[name])) refuse('modelValue', { value: filled.text.slice(0, 60) })
  }
  return { values, obstacles }
}

/** Matches rows to points: by link first, then by name among unlinked points. */
const matched = (rows: readonly { Id: number; name: unknown }[], points: readonly Point[]) => {
  const linked = new Map(points.map((p) => [p.ModelParaId, p]))
  const found = new Map(rows.flatMap(({ Id }) => (linked.has(Id) ? [[Id, linked.get(Id)!]] : [])))
  const taken = new Set([...found.values()].map((p) => p.Id))
  const free = new Map(points.filter((p) => !taken.has(p.Id)).map((p) => [p.ParaName, p]))
  for (const { Id, name } of rows) {
    const point = found.has(Id) ? undefined : free.get(String(name))
    if (!point) continue
    found.set(Id, point)
    free.delete(point.ParaName)
  }
  return found
}

/** The device and point that read an address on a bus. */
export type Places = Map<string, { DeviceName: string; ParaName: string }>
export const placeKey = (device: Pick<Device, 'Bus' | 'Protocol' | 'Unit'>, point: Values) =>
  `${device.Bus}/${placeOf(device.Protocol, point, device.Unit)}`

const same = (a: unknown, b: unknown) => (a ?? null) === (b ?? null)

/** `points` are those of the device. A device of another model has no links yet. */
const planDevice = (version: Version, device: Device, all: readonly Point[], columns: readonly string[]): DevicePlan => {
  const isLinked = device.ModelId === version.ModelId
  const points = isLinked ? all : all.map((p) => ({ ...p, ModelParaId: null, Overrides: null }))
  const numbers = numbersOf(version.Parameters, device.ModelValues, device.SlaveNumber)
  const rendered = version.Points.map((row) => ({ Id: row.Id, ...render(row, numbers, columns, device.Protocol) }))
  const found = matched(
    rendered.map(({ Id, values }) => ({ Id, name: values.ParaName })),
    points,
  )
  const plan: DevicePlan = { device, add: [], change: [], kept: [], gone: [], gave: [], obstacles: rendered.flatMap((r) => r.obstacles) }
  for (const { Id, values, obstacles } of rendered) {
    if (obstacles.length) continue
    const point = found.get(Id)
    if (!point) {
      plan.add.push({ ...values, DeviceId: device.Id, ModelParaId: Id, Overrides: null })
      continue
    }
    const linked = point.ModelParaId === Id
    const overrides = linked ? (point.Overrides ?? []) : []
    const differing = columns.filter((name) => !same(values[name], point[name]))
    const cellsOf = (names: readonly string[]) => names.map((Field) => ({ Field, Before: point[Field], After: values[Field] }))
    const taken = differing.filter((name) => !overrides.includes(name))
    const kept = differing.filter((name) => overrides.includes(name))
    const own = overrides.filter((name) => columns.includes(name))
    // An override ends when the model value equals the device value.
    const left = overrides.filter((name) => !own.includes(name) || kept.includes(name))
    const Overrides = left.length ? left : null
    if (own.some((name) => !kept.includes(name) || !same(values[name], point.ModelGave?.[name])))
      plan.gave.push({
        ...{ Id: point.Id, Overrides },
        ModelGave: { ...point.ModelGave, ...Object.fromEntries(own.map((name) => [name, values[name]])) },
      })
    if (kept.length) plan.kept.push({ point, cells: cellsOf(kept) })
    if (!taken.length && linked) continue
    const after = { ...point, ...Object.fromEntries(taken.map((name) => [name, values[name]])) }
    for (const { field, rule } of brokenRules(pointRules, after, taken))
      plan.obstacles.push({ ParaName: point.ParaName, Field: field, Reason: rule, Values: {} })
    plan.change.push({ point, values: { ...after, ModelParaId: Id, Overrides }, cells: cellsOf(taken) })
  }
  const matches = new Set([...found.values()].map((p) => p.Id))
  plan.gone = points.filter((p) => p.ModelParaId !== null && !matches.has(p.Id))
  return plan
}

/** Point names that a device would have twice. */
const nameObstacles = (plan: DevicePlan, points: readonly Point[], removeGone: boolean) => {
  const changed = new Map(plan.change.map((c) => [c.point.Id, c.values]))
  const gone = new Set(removeGone ? plan.gone.map((p) => p.Id) : [])
  const names = new Set(points.filter((p) => !gone.has(p.Id) && !changed.has(p.Id)).map((p) => p.ParaName))
  for (const values of [...changed.values(), ...plan.add]) {
    const name = String(values.ParaName)
    if (names.has(name)) plan.obstacles.push({ ParaName: name, Field: 'ParaName', Reason: 'nameTaken', Values: {} })
    names.add(name)
  }
}

const sizeOf = ({ add, change, kept, gone }: DevicePlan) => add.length + change.length + kept.length + gone.length

/** Addresses that two points of a bus would share, at least one of them new or moved. */
const placeObstacles = async (
  plans: readonly DevicePlan[],
  pointsOf: (device: number) => readonly Point[],
  places: Places,
  removeGone: boolean,
) => {
  const moved = new Map<DevicePlan, Values[]>()
  await inSlices(plans, sizeOf, (plan) => {
    const { device } = plan
    const isMoved = ({ point, values }: Change) => placeKey(device, point) !== placeKey(device, values)
    const movedIds = new Set(plan.change.filter(isMoved).map(({ point }) => point.Id))
    moved.set(plan, [...plan.change.filter(isMoved).map(({ values }) => values), ...plan.add])
    const gone = new Set(removeGone ? plan.gone.map((p) => p.Id) : [])
    for (const p of pointsOf(device.Id))
      if (!movedIds.has(p.Id) && !gone.has(p.Id)) places.set(placeKey(device, p), { DeviceName: device.DeviceName, ParaName: p.ParaName })
  })
  await inSlices(
    [...moved],
    ([, rows]) => rows.length,
    ([plan, rows]) => {
      for (const values of rows) {
        const key = placeKey(plan.device, values)
        const other = places.get(key)
        const ParaName = String(values.ParaName)
        const Values = other && { device: other.DeviceName, name: other.ParaName }
        if (Values) plan.obstacles.push({ ParaName, Field: 'Address', Reason: 'placeTaken', Values })
        else places.set(key, { DeviceName: plan.device.DeviceName, ParaName })
      }
    },
  )
}

type Beside = { places: Places; removeGone?: boolean; columns: readonly string[] }
/** Adds obstacles to each plan: names and addresses that two points would share. */
const checked = async (plans: DevicePlan[], points: readonly Point[], { places, removeGone = false }: Beside) => {
  const byDevice = Map.groupBy(points, (p) => p.DeviceId)
  const pointsOf = (device: number) => byDevice.get(device) ?? []
  await inSlices(plans, sizeOf, (plan) => nameObstacles(plan, pointsOf(plan.device.Id), removeGone))
  await placeObstacles(plans, pointsOf, places, removeGone)
  return plans
}

/** `places` lists the addresses that other devices on the same buses read. */
export const planDevices = async (version: Version, devices: readonly Device[], points: readonly Point[], beside: Beside) => {
  const byDevice = Map.groupBy(points, (p) => p.DeviceId)
  const rows = () => version.Points.length
  const plans = await inSlices(devices, rows, (device) => planDevice(version, device, byDevice.get(device.Id) ?? [], beside.columns))
  return checked(plans, points, beside)
}

/** Plans to add described points to each device. Expressions in braces may use the unit ID of the device. */
export const planAdditions = async (described: readonly Values[], devices: readonly Device[], points: readonly Point[], beside: Beside) => {
  const plans = await inSlices(
    devices,
    () => described.length,
    (device): DevicePlan => {
      const rendered = described.map((row) => render(row, numbersOf([], null, device.SlaveNumber), beside.columns, device.Protocol))
      return {
        ...{ device, change: [], kept: [], gone: [], gave: [] },
        add: rendered.filter((r) => !r.obstacles.length).map(({ values }) => ({ ...values, DeviceId: device.Id })),
        obstacles: rendered.flatMap((r) => r.obstacles),
      }
    },
  )
  return checked(plans, points, beside)
}

/** Point names that change, in the form that alarm rules use. */
export const renamed = (plans: readonly DevicePlan[]) =>
  new Map(
    plans.flatMap(({ change }) =>
      change.flatMap(({ cells }) =>
        cells.flatMap(({ Field, Before, After }): [string, string][] => (Field === 'ParaName' ? [[String(Before), String(After)]] : [])),
      ),
    ),
  )
