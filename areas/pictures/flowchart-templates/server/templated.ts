import { parse, type Reference } from '../../../../contract/expression/parse.ts'
import { print } from '../../../../contract/expression/print.ts'
import type { Item, Parameter, Scene } from '../../../../contract/picture/scene.ts'

export type Named = { Id: number; ParaName: string; DeviceId: number; DeviceName: string; ModelId: number | null }

/** Names of parameters have no braces, dots and numbers signs. */
const plain = (name: string) =>
  name
    .replace(/[{}.#]/g, ' ')
    .trim()
    .slice(0, 40) || 'Device'

/**
 * A scene whose points are named through devices, `{Pump 1.Speed}` instead of `#12`, so that another picture can have other devices. Points
 * with braces in their names cannot be named, and those of `points` alone are.
 */
export const templated = (scene: Scene, points: readonly Named[]): Scene => {
  const taken = new Set(scene.parameters?.map(({ name }) => name))
  const parameters = new Map<number, Parameter>()
  const parameterOf = ({ DeviceId, DeviceName, ModelId }: Named) => {
    const held = parameters.get(DeviceId)
    if (held) return held.name
    let name = plain(DeviceName)
    for (let n = 2; taken.has(name); n++) name = `${plain(DeviceName)} ${n}`
    taken.add(name)
    parameters.set(DeviceId, { name, type: 'device', value: DeviceId, ...(ModelId ? { model: ModelId } : {}) })
    return name
  }
  const byId = new Map(points.map((point) => [point.Id, point]))
  const rename = (reference: Reference): Reference => {
    const point = 'id' in reference ? byId.get(reference.id) : undefined
    return point && !/[{}]/.test(point.ParaName) ? { name: `${parameterOf(point)}.${point.ParaName}` } : reference
  }
  const text = (of: string) => {
    const { tree } = parse(of)
    return tree ? print(tree, rename) : of
  }
  const items = scene.items.map((item) => {
    const next = { ...item } as Item & { of?: string }
    if (next.of !== undefined) next.of = text(next.of)
    if (next.bind) next.bind = next.bind.map((one) => ({ ...one, of: text(one.of) }))
    if (next.alarms) next.alarms = next.alarms.map(text)
    if (next.acts)
      next.acts = next.acts.map((act) => ({
        ...act,
        ...(act.of ? { of: text(act.of) } : {}),
        ...(act.when ? { when: text(act.when) } : {}),
      }))
    return next
  })
  return { ...scene, items, parameters: [...(scene.parameters ?? []), ...parameters.values()] }
}
