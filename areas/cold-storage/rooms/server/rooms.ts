// What the area itself writes of rooms: fields that people do not set.
import { store } from '../../../../server/resource/store.ts'
import { coldStorage } from '../contract.ts'

const set = { set: 'always' } as const
const { fields: f } = coldStorage
export const ownRooms = store({
  ...coldStorage,
  fields: {
    ...f,
    ...{ SN: { ...f.SN, ...set }, GatewayId: { ...f.GatewayId, ...set }, InitStatus: { ...f.InitStatus, ...set } },
    ...{ InitTime: { ...f.InitTime, ...set }, IsCompose: { ...f.IsCompose, ...set }, ParentId: { ...f.ParentId, ...set } },
    ...{ ComposeTime: { ...f.ComposeTime, ...set }, SplitTime: { ...f.SplitTime, ...set } },
  },
})
