import type { MappingRule } from '../../../../contract/parsing/mapping.ts'
import { parsePath } from '../../../../contract/parsing/path.ts'

/** A rule for a chosen path. The key is its last name or, after a wildcard, the field's name. */
export const ruleOf = (path: string): MappingRule => {
  const found = parsePath(path)
  const last = 'steps' in found ? found.steps.findLast((step) => 'name' in step || ('each' in step && step.each === 'fields')) : undefined
  return {
    Value: path,
    Key: last && 'name' in last ? { From: 'text', Is: last.name } : { From: last ? 'name' : 'text', ...(last ? {} : { Is: 'value' }) },
  }
}
