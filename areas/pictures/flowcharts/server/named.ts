import { parse, type Reference } from '../../../../contract/expression/parse.ts'
import { print } from '../../../../contract/expression/print.ts'
import type { Parameter, Scene } from '../../../../contract/picture/scene.ts'
import { expressionsOf } from '../../../../contract/picture/sceneReferences.ts'

export type Named = { Id: number; ParaName: string; DeviceId: number; DeviceName: string; ModelId: number | null }

/** The scene with other references in all its expressions. */
export const renamed = (scene: Scene, rename: (reference: Reference) => Reference): Scene => ({
  ...scene,
  items: scene.items.map((item) => {
    const texts = expressionsOf(item)
    if (!texts.length) return item
    const next = structuredClone(item)
    for (const { field, text } of texts) {
      const { tree } = parse(text)
      if (!tree) continue
      const path = field.split('.')
      const last = path.pop()!
      const place = path.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], next)
      ;(place as Record<string, string>)[last] = print(tree, rename)
    }
    return next
  }),
})

/** Names of parameters have no braces, dots and numbers signs. */
const plain = (name: string) =>
  name
    .replace(/[{}.#]/g, ' ')
    .trim()
    .slice(0, 40) || 'Device'

/**
 * A scene whose points are named through devices, `{Pump 1.Speed}` instead of `#12`, so that another picture can have other devices.
 * `open`: its parameters have no device yet. Points with braces in their names cannot be named, and those of `points` alone are.
 */
export const namedByDevice = (scene: Scene, points: readonly Named[], { open = false } = {}): Scene => {
  const taken = new Set(scene.parameters?.map(({ name }) => name))
  const parameters = new Map<number, Parameter>()
  const parameterOf = ({ DeviceId, DeviceName, ModelId }: Named) => {
    const held = parameters.get(DeviceId)
    if (held) return held.name
    let name = plain(DeviceName)
    for (let n = 2; taken.has(name); n++) name = `${plain(DeviceName)} ${n}`
    taken.add(name)
    parameters.set(DeviceId, { name, type: 'device', ...(open ? {} : { value: DeviceId }), ...(ModelId ? { model: ModelId } : {}) })
    return name
  }
  const byId = new Map(points.map((point) => [point.Id, point]))
  const named = renamed(scene, (reference) => {
    const point = 'id' in reference ? byId.get(reference.id) : undefined
    return point && !/[{}]/.test(point.ParaName) ? { name: `${parameterOf(point)}.${point.ParaName}` } : reference
  })
  return { ...named, parameters: [...(scene.parameters ?? []), ...parameters.values()] }
}
