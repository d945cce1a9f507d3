import { useRefusal } from '../../../../console/kernel/form/refusal.tsx'
import type { Fault } from '../../../../console/session/request.ts'
import { useWords } from '../../../../console/words/words.ts'
import { pushFaults } from '../alarm-push.ts'
import type { RuleValues } from './ruleValues.ts'

/** The value at a path such as `RuleList.0.Conditions`. */
const valueAt = (of: unknown, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined | null)?.[name], of)

const isGiven = (value: unknown) => value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && !value.length)

/** Faults that the editor finds before saving. */
const pushFaultsOf = ({ IsSend, AlarmPush }: RuleValues) => (IsSend ? pushFaults(AlarmPush) : [])
export const isIncomplete = (values: RuleValues) => !values.RuleName.trim() || pushFaultsOf(values).length > 0

type Given = {
  values: RuleValues
  /** The values that `checked` was computed from. */
  typed: RuleValues
  tried: boolean
  checked: readonly { Path: string; Message: string }[]
  save: { error: Fault | null; variables: { body?: object } | undefined }
}

/** The errors of a rule by path. Changing the value clears its error. */
export const useRuleFaults = ({ values, typed, tried, checked, save }: Given) => {
  const t = useWords()
  const configure = values.RuleConfigure
  // Report missing values after the first attempt to save, wrong ones immediately.
  const fault = (path: string) => {
    const value = valueAt(configure, path)
    const isAbout = (tried || isGiven(value)) && valueAt(typed.RuleConfigure, path) === value
    return isAbout ? checked.find((e) => e.Path === path)?.Message : undefined
  }
  const pushed = tried ? pushFaultsOf(values) : []
  const fields = save.error?.details.Fields ?? {}
  const faultOf = (path: string) => {
    if (path === 'RuleName' && tried && !values.RuleName.trim()) return t('rules.nameMissing')
    const own = pushed.find(({ Path }) => `AlarmPush.${Path}` === path)
    if (own) return t(own.key, own.values)
    return valueAt(save.variables?.body, path) === valueAt(values, path) ? fields[path]?.[0] : undefined
  }
  const isHere = (path: string) =>
    /^(RuleName$|RuleConfigure\.|DeviceControl\.|ActionExecution\.)/.test(path) || (values.IsSend === 1 && path.startsWith('AlarmPush.'))
  const others = Object.entries(fields).flatMap(([path, texts]) => (isHere(path) ? [] : texts))
  const isAllHere = Object.keys(fields).length > 0 && !others.length
  return { fault, faultOf, refusal: useRefusal({ fault: save.error, elsewhere: others.join(' '), isAllHere }) }
}
