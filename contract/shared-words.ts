type Table = Readonly<Record<string, string>>

const endsOf = (table: Table, beginning: string): Table => {
  const shared = table[`${beginning}*`]
  const own = Object.entries(table).flatMap(([key, text]) => (key.startsWith(beginning) ? [[key.slice(beginning.length), text]] : []))
  return { ...(shared && endsOf(table, shared.slice(0, -1))), ...Object.fromEntries(own) }
}

/** Resolves entries such as `"modelPara.*": "point.*"`: model points use the words of points unless the table overrides one. */
export const withShared = (table: Table): Record<string, string> => {
  const shared = Object.keys(table)
    .filter((key) => key.endsWith('.*'))
    .flatMap((key) => Object.entries(endsOf(table, key.slice(0, -1))).map(([end, text]) => [key.slice(0, -1) + end, text]))
  return { ...Object.fromEntries(shared), ...table }
}
