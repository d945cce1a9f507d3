// Parts, labor and rates of orders.
import { Type } from 'typebox'
import { Changed, call } from '../../../contract/call.ts'
import { money, ref, text } from '../../../contract/field.ts'
import { Id, resource } from '../../../contract/resource.ts'
import { mtnMaintenanceOrder, myOrders } from './contract.ts'

/** Hourly rate of a role, valid from a day. The highest rate of a person's roles applies. */
export const mtnLaborRate = resource('mtnLaborRate', {
  path: '/Maintenance/MtnLaborRate',
  most: { of: 'RoleId', records: 200 },
  permission: 'm10619',
  title: 'RateName',
  order: 'RateName',
  columns: ['RateName', 'RoleId', 'ValidFrom', 'Rate'],
  fields: {
    RateName: text({ required: true, unique: true, max: 60, search: true }),
    RoleId: ref('role', { required: true, search: true }),
    ValidFrom: text({ required: true, max: 10, pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    /** Per hour, in the company's currency. */
    Rate: money({ required: true }),
  },
})

const Text = Type.String()
const Qty = Type.Number({ minimum: 0.001, maximum: 1e6 })
/** Part, place and quantity. */
export const TakenPart = Type.Object({ ComponentId: Id, PlaceId: Id, Qty })
const ClientKey = Type.Optional(Type.String({ minLength: 8, maxLength: 64, pattern: '^[\\w-]+$' }))
const Moment = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' })
const at = (name: string) => `${mtnMaintenanceOrder.path}/${name}`
const post = <B extends object>(name: string, body: B) =>
  call({
    ...{ method: 'POST', path: at(name), permission: `${myOrders}.work` },
    body: Type.Object({ OrderId: Id, ...body }),
    answer: Changed,
  })

export const workCalls = {
  /** Parts of the order's machine, then reserved or taken parts, then search results; and labor entries. */
  work: call({
    method: 'GET',
    path: at('Work'),
    permission: myOrders,
    query: Type.Object({ OrderId: Id, Search: Type.Optional(Type.String({ maxLength: 60 })) }),
    answer: Type.Object({
      Parts: Type.Array(
        Type.Object({
          ...{ ComponentId: Id, ComponentName: Text, ComponentNo: Text, Unit: Text, OfModel: Type.Integer() },
          ...{ StockQty: Type.Number(), Reserved: Type.Number(), ReservedByOthers: Type.Number(), Taken: Type.Number() },
          Places: Type.Array(Type.Object({ PlaceId: Id, PlaceName: Text, Qty: Type.Number() })),
        }),
      ),
      Labor: Type.Array(Type.Object({ UserName: Text, StartTime: Text, EndTime: Type.Union([Text, Type.Null()]), Hours: Type.Number() })),
      /** 1: the caller's labor is running. */
      Running: Type.Integer(),
    }),
  }),
  /** Quantity of a part to reserve; 0 releases it. */
  reserve: post('ReservePart', { ComponentId: Id, Qty: Type.Number({ minimum: 0, maximum: 1e6 }) }),
  take: post('TakePart', { ...TakenPart.properties, ClientKey }),
  giveBack: post('ReturnPart', { ...TakenPart.properties, ClientKey }),
  startLabor: post('StartLabor', {}),
  stopLabor: post('StopLabor', {}),
  /** A labor entry of the caller with start and end. */
  addLabor: post('AddLabor', { StartTime: Moment, EndTime: Moment }),
}
