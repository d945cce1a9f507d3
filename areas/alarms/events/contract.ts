import { choice, instant, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** Types of `up/event` in the gateway protocol; 11 and 12 come from the server itself. */
export const gatewayEventTypes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const

/** What a gateway has reported about itself; the newest 10,000 of each are stored. */
export const gatewayEvent = resource('gatewayEvent', {
  path: '/Events/Events',
  permission: 'm10109',
  title: 'Text',
  owner: 'GatewayId',
  order: '-Id',
  fields: {
    GatewayId: ref('gateway', { required: true, set: 'never', search: true }),
    Type: choice(gatewayEventTypes, { required: true, set: 'never', search: true }),
    /** 0 for information or over again, 1 to 3 the worse. */
    Level: choice([0, 1, 2, 3], { required: true, set: 'never', search: true }),
    Text: text({ required: true, max: 500, set: 'never', search: true }),
    /** Of the gateway's clock. */
    Time: instant({ required: true }),
    MsgId: text({ max: 64, required: true, set: 'never' }),
  },
})
