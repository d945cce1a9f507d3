// Paths into a message: `data[*].values.temp`, `$`, `rows[0]["a b"]`, `*.state`. `[*]` is each element of a list, `*` each field of an object.

export type Step = { name: string } | { at: number } | { each: 'elements' | 'fields' }
export type Path = readonly Step[]
/** Characters, and steps. */
export const [longestPath, mostSteps] = [200, 16]

const name = /[^.[\]"*\s\p{Cc}][^.[\]"*\p{Cc}]*/uy
const quoted = /\["((?:[^"\\\p{Cc}]|\\["\\]){1,100})"\]/uy
const index = /\[(\d{1,6})\]/y
const elements = /\[\*\]/y

/** The steps of a path, or the position of the character that does not belong there. */
export const parsePath = (text: string): { steps: Path } | { at: number } => {
  const steps: Step[] = []
  let at = text.startsWith('$') ? 1 : 0
  if (text.length > longestPath) return { at: longestPath }
  if (!text) return { at: 0 }
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  while (at < text.length) {
    if (steps.length === mostSteps) return { at }
    if (text[at] === '[') {
      const [, field] = take(quoted) ?? []
      if (field !== undefined) steps.push({ name: field.replace(/\\(["\\])/g, '$1') })
      else if (take(elements)) steps.push({ each: 'elements' })
      else {
        const [, number] = take(index) ?? []
        if (number === undefined) return { at }
        steps.push({ at: Number(number) })
      }
      continue
    }
    if (at > 0 || steps.length) {
      if (text[at] !== '.') return { at }
      at++
    }
    if (text[at] === '*') {
      at++
      steps.push({ each: 'fields' })
      continue
    }
    const found = take(name)
    if (!found) return { at }
    steps.push({ name: found[0].trimEnd() })
  }
  return { steps }
}

const isPlain = (field: string) => /^[^.[\]"*\s\p{Cc}$][^.[\]"*\s\p{Cc}]*$/u.test(field)
/** How a path is written. */
export const writePath = (steps: Path): string =>
  steps.reduce((text, step) => {
    if ('at' in step) return `${text || '$'}[${step.at}]`
    if ('each' in step) return step.each === 'elements' ? `${text || '$'}[*]` : text ? `${text}.*` : '*'
    if (!isPlain(step.name)) return `${text || '$'}["${step.name.replace(/["\\]/g, '\\$&')}"]`
    return text ? `${text}.${step.name}` : step.name
  }, '') || '$'

/** What each wildcard matched: an array index or a field name. */
export type Bound = readonly (string | number)[]
export type Match = { value: unknown; bound: Bound }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const stepInto = (value: unknown, step: { name: string } | { at: number }): unknown => {
  if ('at' in step) return Array.isArray(value) ? value[step.at] : undefined
  return isObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined
}

/** Every value that a path leads to, as long as there is a budget of steps. */
export function* matches(root: unknown, steps: Path, budget: { left: number }): Generator<Match> {
  type Open = { value: unknown; from: number; bound: Bound }
  const open: Open[] = [{ value: root, from: 0, bound: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    let { value, from, bound } = next
    while (from < steps.length && value !== undefined) {
      if (--budget.left < 0) return
      const step = steps[from++]!
      if (!('each' in step)) {
        value = stepInto(value, step)
        continue
      }
      const entries: (readonly [string | number, unknown])[] =
        step.each === 'elements'
          ? (Array.isArray(value) ? value.slice(0, budget.left) : []).map((one, i) => [i, one] as const)
          : isObject(value)
            ? Object.entries(value).slice(0, budget.left)
            : []
      budget.left -= entries.length
      // The last one is followed first from the stack: in the order of the message.
      for (let i = entries.length - 1; i >= 0; i--) open.push({ value: entries[i]![1], from, bound: [...bound, entries[i]![0]] })
      value = undefined
    }
    if (value !== undefined) yield { value, bound }
  }
}

/** Resolves a path relative to a match, with the wildcards of that match. */
export const beside = (root: unknown, steps: Path, bound: Bound): unknown => {
  let value = root
  let wild = 0
  for (const step of steps) {
    if (value === undefined) return undefined
    if (!('each' in step)) value = stepInto(value, step)
    else {
      const is = bound[wild++]
      value = is === undefined ? undefined : stepInto(value, typeof is === 'number' ? { at: is } : { name: is })
    }
  }
  return value
}

const sameStep = (a: Step, b: Step | undefined) => b !== undefined && JSON.stringify(a) === JSON.stringify(b)
/** Whether each wildcard of a path is one of another path, at the same place. */
export const followsFrom = (steps: Path, main: Path) => {
  const last = steps.findLastIndex((step) => 'each' in step)
  return steps.slice(0, last + 1).every((step, i) => sameStep(step, main[i]))
}
