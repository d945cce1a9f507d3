type Values = Readonly<Record<string, unknown>>

/** What fields of a record must be together. Words at `fault.field.<name>`, true at each of the fields. */
export type Rule = { name: string; of: readonly string[]; isBroken: (values: Values) => boolean }

/** The rules that a change breaks, each at the last of its fields that the change touches. What is not touched may stay as it is. */
export const brokenRules = (rules: readonly Rule[] = [], values: Values, touched: readonly string[]) =>
  rules.flatMap((rule) => {
    const field = rule.of.findLast((name) => touched.includes(name))
    return field && rule.isBroken(values) ? [{ field, rule: rule.name }] : []
  })
