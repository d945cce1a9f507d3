import { mostSteps, type Path, writePath } from './path.ts'

/** A path in a message with its type and an example value. */
export type Property = { Path: string; Type: 'number' | 'boolean' | 'text' | 'null'; Example: string; Count: number }
export const mostProperties = 500
/** Elements of each list that are looked at, and values in all. */
const [elements, mostValues] = [50, 50_000]

const typeOf = (value: unknown): Property['Type'] => {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return value === null ? 'null' : 'text'
}

/** The paths to all values of a message. Lists have one path for all their elements. */
export const propertiesOf = (root: unknown): Property[] => {
  const found = new Map<string, Property>()
  const open: { value: unknown; path: Path }[] = [{ value: root, path: [] }]
  let left = mostValues
  for (let next = open.shift(); next && left-- > 0; next = open.shift()) {
    const { value, path } = next
    if (typeof value === 'object' && value !== null) {
      if (path.length === mostSteps) continue
      if (Array.isArray(value)) for (const one of value.slice(0, elements)) open.push({ value: one, path: [...path, { each: 'elements' }] })
      else
        for (const name of Object.keys(value).slice(0, mostProperties))
          open.push({ value: (value as Record<string, unknown>)[name], path: [...path, { name }] })
      continue
    }
    const Path = writePath(path)
    const known = found.get(Path)
    if (known) known.Count++
    else if (found.size < mostProperties) found.set(Path, { Path, Type: typeOf(value), Example: String(value).slice(0, 60), Count: 1 })
  }
  return [...found.values()]
}
