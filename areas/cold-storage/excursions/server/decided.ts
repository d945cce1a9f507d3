// Dispositions of excursions. All other fields derive from readings.
import { store } from '../../../../server/resource/store.ts'
import { coldExcursion } from '../contract.ts'

const set = { set: 'always' } as const
const { fields: f } = coldExcursion
/** Fields written by the act. */
export const decided = store({
  ...coldExcursion,
  fields: {
    ...f,
    ...{ Disposition: { ...f.Disposition, ...set }, Cause: { ...f.Cause, ...set }, IsChanged: { ...f.IsChanged, ...set } },
    ...{ DisposeUserId: { ...f.DisposeUserId, ...set }, DisposeTime: { ...f.DisposeTime, ...set } },
  },
})
