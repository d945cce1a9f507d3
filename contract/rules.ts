type Values = Readonly<Record<string, unknown>>

/** A rule between fields of a record. Its text is `fault.field.<name>` and must be true at each of the fields. */
export type Rule = { name: string; of: readonly string[]; isBroken: (values: Values) => boolean }

/** The rules that a change violates, each reported at its last changed field. Ignores rules about unchanged fields. */
export const brokenRules = (rules: readonly Rule[] = [], values: Values, touched: readonly string[]) =>
  rules.flatMap((rule) => {
    const field = rule.of.findLast((name) => touched.includes(name))
    return field && rule.isBroken(values) ? [{ field, rule: rule.name }] : []
  })
