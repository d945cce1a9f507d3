// What people decide about an excursion; the rest of it follows from readings.
import { store } from '../../../../server/resource/store.ts'
import { coldExcursion } from '../contract.ts'

const set = { set: 'always' } as const
const { fields: f } = coldExcursion
/** What an act writes. */
export const decided = store({
  ...coldExcursion,
  fields: {
    ...f,
    ...{ Disposition: { ...f.Disposition, ...set }, Cause: { ...f.Cause, ...set }, IsChanged: { ...f.IsChanged, ...set } },
    ...{ DisposeUserId: { ...f.DisposeUserId, ...set }, DisposeTime: { ...f.DisposeTime, ...set } },
  },
})
