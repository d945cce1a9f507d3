import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { Page } from '../../../../contract/call.ts'
import { buildConfig, configHash } from '../../gateways/server/config.ts'
import { type Row, rows, startModels } from './harness.ts'

const { kit, model, addRow, publish, device, apply, pointsOf, change } = await startModels()
afterAll(() => kit.close())

it('after any edits, applying matches the preview, applying again changes nothing, and overrides survive', async () => {
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
      const hash = await configHash(await buildConfig(kit.db, gateway))
      const again = await apply(Id, [pump.Id], { RemoveGone: 1 })
      expect(again.Data.Rows.filter((r) => r.Kind !== 'kept')).toEqual([])
      expect(await pointsOf(pump.Id)).toEqual(after)
      expect(await configHash(await buildConfig(kit.db, gateway))).toBe(hash)
    }),
    { numRuns: 8 },
  )
})
