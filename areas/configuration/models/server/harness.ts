import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../devices/contract.ts'
import { point as points } from '../../points/contract.ts'
import { pointRoutes } from '../../points/server/routes.ts'

export type Row = Record<string, unknown> & { Id: number }
type Applied = { Devices: Row[]; Rows: Row[]; Rules: Row[]; NoRoom: number | null; Version: number }
export const [path, rows] = ['/ProModel/ProModel', '/ProModel/ModelPara']

/** A kit with calls that build models, devices and points as the owner. */
export const startModels = async () => {
  const kit = await startKit({ areas: () => [pointRoutes] })
  const make = maker(kit)
  let count = 0
  return {
    kit,
    make,
    model: (given: object = {}) => kit.data<Row>('owner', 'POST', path, { ModelName: `Pump ${++count}`, ...given }),
    addRow: (ModelId: number, ParaName: string, Address: string, more: object = {}) =>
      kit.data<Row>('owner', 'POST', rows, { ModelId, ParaName, Address, ...more }),
    publish: (Id: number) => kit.data('owner', 'POST', `${path}/Publish`, { Id }),
    device: (given: object = {}) => make.create(devices, given as Record<string, unknown>) as Promise<Row>,
    apply: (ModelId: number, DeviceIds: number[], more: object = {}) =>
      kit.call<Applied>('owner', 'POST', `${path}/Apply`, { ModelId, DeviceIds, ...more }),
    pointsOf: async (id: number) =>
      (await kit.data<Page<Row>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1000`)).Items,
    change: (Id: number, values: object) => kit.data('owner', 'PUT', points.path, { Id, ...values }),
  }
}
