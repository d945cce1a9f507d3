import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { flowchartRoutes } from './routes.ts'

type Row = { Id: number; EnterpriseId: number }
const path = '/Project/Ddt/Flowchart'
const text = (i: number) => ({ kind: 'text', id: `t${i}`, x: 0, y: 0, w: 1, h: 1, size: 12, text: randomBytes(300).toString('base64') })
const scene = (count: number) => ({ ...emptyScene(), items: Array.from({ length: count }, (_, i) => text(i)) })

it('a company has as many bytes of drawings as it may have of files', async () => {
  const kit = await startKit({ areas: () => [(api) => flowchartRoutes(api, { clock: Date.now } as never)] })
  const call = (method: string, to: string, body: object) => kit.call<Row>('owner', method, `${path}${to}`, body)
  const limit = (mb: number | null) => kit.db.rows(sql`update enterprise set "MaxFileMb" = ${mb} where "Id" = ${kit.enterprises.ours}`)
  const ProjectId = ((await maker(kit).create(project, { ProjectName: 'Works' })) as Row).Id
  const { Id } = (await call('POST', '', { FlowchartName: 'Hall', ProjectId })).Data
  const full = { StatusCode: 409, Details: { Fault: 'quotaUsed' } }
  expect(await call('POST', '/Save', { Id, Scene: scene(2000) })).toMatchObject({ StatusCode: 200 })
  await limit(1)
  for (const [to, more] of [['/Copy'], ['/Publish'], ['/Save', { Scene: scene(4000) }]] as const)
    expect(await call('POST', to, { Id, ...more })).toMatchObject(full)
  // A removed picture can be made again, and counts until then.
  await call('DELETE', '', { Id })
  const another = { FlowchartName: 'Another', ProjectId }
  expect(await call('POST', '', another)).toMatchObject(full)
  await limit(null)
  expect(await call('POST', '', another)).toMatchObject({ StatusCode: 200 })
  await kit.close()
})
