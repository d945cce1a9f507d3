import { Compile, type Validator } from 'typebox/compile'
import { withOwn } from '../../../../contract/picture/ownSymbol.ts'
import { type Kind, kinds, mostItems, mostSceneBytes, type Scene, SceneFrame } from '../../../../contract/picture/scene.ts'
import { sceneFaults } from '../../../../contract/picture/sceneFaults.ts'
import { loadSymbols } from '../../../../contract/picture/symbols/index.ts'
import { type FieldFault, FieldFaults } from '../../../../server/http/faults.ts'

type Given = Record<string, unknown>
const compiled = new Map<string, Validator>()
/** Compiled on first use, to keep the start fast. */
const checkOf = (kind: Kind | '') => {
  const check = compiled.get(kind) ?? Compile(kind ? kinds[kind] : SceneFrame)
  compiled.set(kind, check)
  return check
}

const rules: Record<string, string> = {
  ...{ required: 'required', minLength: 'required', maxLength: 'maxLength', pattern: 'pattern', additionalProperties: 'unknownField' },
  ...{ minimum: 'min', maximum: 'max', maxItems: 'max', enum: 'choice', const: 'choice', anyOf: 'choice' },
}
const shapeFaults = (kind: Kind | '', given: unknown, place: string): FieldFault[] => {
  const check = checkOf(kind)
  if (check.Check(given)) return []
  // The first error is enough: the others belong to branches that did not match.
  const [first] = check.Errors(given)
  if (!first) return []
  const params = first.params as { limit?: number; additionalProperties?: string[]; requiredProperties?: string[] }
  const named = params.additionalProperties?.[0] ?? params.requiredProperties?.[0]
  const at = [...first.instancePath.split('/').filter(Boolean), ...(named ? [named] : [])].join('.')
  const limit = params.limit === undefined ? {} : { values: { min: params.limit, max: params.limit } }
  return [{ field: [place, at].filter(Boolean).join('.'), rule: rules[first.keyword] ?? 'type', ...limit }]
}

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Parses a received scene. Throws FieldFaults with item and field. Unknown fields are refused: a scene is read completely or
 * not at all.
 */
export const readScene = async (given: unknown): Promise<Scene> => {
  const refuse = (faults: FieldFault[]) => {
    if (faults.length) throw new FieldFaults(faults)
  }
  if (!isObject(given)) throw new FieldFaults([{ field: 'Scene', rule: 'type' }])
  const { items, ...frame } = given
  refuse(shapeFaults('', frame, 'Scene'))
  if (!Array.isArray(items)) throw new FieldFaults([{ field: 'Scene.items', rule: 'required' }])
  if (items.length > mostItems) throw new FieldFaults([{ field: 'Scene.items', rule: 'max', values: { max: mostItems } }])
  const faults: FieldFault[] = []
  for (const [i, item] of items.entries()) {
    const kind = isObject(item) && typeof item.kind === 'string' && Object.hasOwn(kinds, item.kind) ? (item.kind as Kind) : undefined
    const place = isObject(item) && typeof item.id === 'string' ? `Scene.${item.id.slice(0, 24)}` : `Scene.items.${i}`
    faults.push(...(kind ? shapeFaults(kind, item, place) : [{ field: `${place}.kind`, rule: 'choice' }]))
    if (faults.length >= 50) break
  }
  refuse(faults)
  const scene = given as Scene
  if (JSON.stringify(scene).length > mostSceneBytes) throw new FieldFaults([{ field: 'Scene', rule: 'scene.tooLarge' }])
  const ours = await loadSymbols(scene.items.flatMap((item) => (item.kind === 'symbol' ? [item.symbol] : [])))
  const symbols = withOwn(ours, scene.symbols)
  const wrong = sceneFaults(scene, (id) => symbols.get(id))
  refuse(wrong.map(({ item, field, ...rest }) => ({ field: `Scene.${item ? `${item}.` : ''}${field}`, ...rest })))
  return scene
}
