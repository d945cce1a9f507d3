// Writes fields that users cannot set. Platform users are not in the company's user table, so references are left empty.
import type { Field } from '../../../../contract/field.ts'
import type { Resource } from '../../../../contract/resource.ts'
import { store } from '../../../../server/resource/store.ts'
import { coldCriteria, coldReport } from '../contract.ts'

const opened = (field: Field): Field =>
  field.kind === 'ref' && field.to === 'user' ? { kind: 'number', set: 'always' } : { ...field, set: 'always' }
const own = <R extends Resource>(r: R) =>
  store({ ...r, fields: Object.fromEntries(Object.entries(r.fields).map(([name, field]) => [name, opened(field)])) as R['fields'] })

export const ownReports = own(coldReport)
export const ownCriteria = own(coldCriteria)
