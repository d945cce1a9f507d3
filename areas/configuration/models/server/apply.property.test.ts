import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { device as devices } from '../../devices/contract.ts'
import { buildConfig, configHash } from '../../gateways/server/config.ts'
import { point as points } from '../../points/contract.ts'
import { pointRoutes } from '../../points/server/routes.ts'

type Row = Record<string, unknown> & { Id: number }
type Answer = { Devices: Row[]; Rows: Row[]; Rules: Row[]; NoRoom: number | null; Version: number }
let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit({ areas: () => [pointRoutes] })
  make = maker(kit)
})
afterAll(() => kit.close())

const [path, rows] = ['/ProModel/ProModel', '/ProModel/ModelPara']
let named = 0
const model = (given: object = {}) => kit.data<Row>('owner', 'POST', path, { ModelName: `Pump ${++named}`, ...given })
const addRow = (ModelId: number, ParaName: string, Address: string, more: object = {}) =>
  kit.data<Row>('owner', 'POST', rows, { ModelId, ParaName, Address, ...more })
const publish = (Id: number) => kit.data('owner', 'POST', `${path}/Publish`, { Id })
const device = (given: object = {}) => make.create(devices, given as Record<string, unknown>) as Promise<Row>
const apply = (ModelId: number, DeviceIds: number[], more: object = {}) =>
  kit.call<Answer>('owner', 'POST', `${path}/Apply`, { ModelId, DeviceIds, ...more })
const pointsOf = async (id: number) =>
  (await kit.data<Page<Row>>('owner', 'GET', `/V2/Project/DevPara/List?DeviceIds=${id}&PageSize=1000`)).Items
const change = (Id: number, values: object) => kit.data('owner', 'PUT', points.path, { Id, ...values })

it('any edits: what the preview says happens, a second time nothing does, and overrides stay', async () => {
  const { Id, ModelName } = await model()
  const pump = await device({ ModelId: Id, DeviceName: `of ${ModelName}` })
  const gateway = Number(pump.GatewayId)
  const name = fc.constantFrom('A', 'B', 'C', 'D')
  const limit = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null })
  const edit = fc.oneof(
    fc.record({ kind: fc.constant('row' as const), name, AlarmHigh: limit, ParaUnitName: fc.constantFrom('', 'bar') }),
    fc.record({ kind: fc.constant('remove' as const), name }),
    fc.record({ kind: fc.constant('point' as const), name, AlarmHigh: limit }),
  )
  const modelRows = async () => (await kit.data<Page<Row>>('owner', 'GET', `${rows}/List?ModelId=${Id}`)).Items
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
      for (const e of edits) {
        const row = (await modelRows()).find((r) => r.ParaName === e.name)
        if (e.kind === 'remove' && row) await kit.data('owner', 'DELETE', rows, { Id: row.Id })
        if (e.kind === 'row') {
          const values = { AlarmHigh: e.AlarmHigh, ParaUnitName: e.ParaUnitName }
          if (row) await kit.data('owner', 'PUT', rows, { Id: row.Id, ...values })
          else await addRow(Id, e.name, String('ABCD'.indexOf(e.name) * 2), values)
        }
        const own = e.kind === 'point' && (await pointsOf(pump.Id)).find((p) => p.ParaName === e.name)
        if (own) await change(own.Id, { AlarmHigh: e.AlarmHigh })
      }
      await publish(Id)
      const before = await pointsOf(pump.Id)
      const preview = await apply(Id, [pump.Id], { Preview: 1, RemoveGone: 1 })
      expect((await apply(Id, [pump.Id], { RemoveGone: 1 })).Data).toEqual(preview.Data)
      const after = await pointsOf(pump.Id)
      const [of, count] = [(kind: string) => preview.Data.Rows.filter((r) => r.Kind === kind), preview.Data.Devices[0]!]
      expect(after.length).toBe(before.length + Number(count.Added) - Number(count.Gone))
      for (const r of of('changed').filter((r) => r.Field))
        expect(after.find((p) => p.ParaName === r.ParaName)).toMatchObject({ [String(r.Field)]: r.After })
      for (const r of of('kept')) expect(after.find((p) => p.ParaName === r.ParaName)).toMatchObject({ [String(r.Field)]: r.Before })
      const hash = configHash(await buildConfig(kit.db, gateway))
      const again = await apply(Id, [pump.Id], { RemoveGone: 1 })
      expect(again.Data.Rows.filter((r) => r.Kind !== 'kept')).toEqual([])
      expect(await pointsOf(pump.Id)).toEqual(after)
      expect(configHash(await buildConfig(kit.db, gateway))).toBe(hash)
    }),
    { numRuns: 8 },
  )
})
