type Table = Readonly<Record<string, string>>

const isShared = (key: string) => key.endsWith('.*')
const beginningOf = (key: string) => key.slice(0, -1)

/** The words below some beginnings, by their ends. The table is read once: each page resolves thousands of words as it starts. */
const endsBelow = (table: Table, beginnings: ReadonlySet<string>) => {
  const ends = new Map<string, [end: string, text: string][]>()
  for (const [key, text] of Object.entries(table))
    for (let dot = key.indexOf('.'); dot >= 0; dot = key.indexOf('.', dot + 1)) {
      const beginning = key.slice(0, dot + 1)
      if (!beginnings.has(beginning)) continue
      const of = ends.get(beginning)
      if (of) of.push([key.slice(dot + 1), text])
      else ends.set(beginning, [[key.slice(dot + 1), text]])
    }
  return ends
}

/** Resolves entries such as `"modelPara.*": "point.*"`: model points use the words of points unless the table overrides one. */
export const withShared = (table: Table): Record<string, string> => {
  const keys = Object.keys(table).filter(isShared)
  const below = endsBelow(table, new Set(keys.flatMap((key) => [beginningOf(key), beginningOf(table[key]!)])))
  const endsOf = (beginning: string): Table => {
    const shared = table[`${beginning}*`]
    return { ...(shared && endsOf(beginningOf(shared))), ...Object.fromEntries(below.get(beginning) ?? []) }
  }
  const shared = keys.flatMap((key) => Object.entries(endsOf(beginningOf(key))).map(([end, text]) => [beginningOf(key) + end, text]))
  return { ...Object.fromEntries(shared), ...table }
}
