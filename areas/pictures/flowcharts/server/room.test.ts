import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { startKit } from '../../../../main/testing/kit.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { boardRoutes } from '../../boards/server/routes.ts'
import { flowchartRoutes } from './routes.ts'

type Row = { Id: number; EnterpriseId: number }
const path = '/Project/Ddt/Flowchart'
const text = (i: number) => ({ kind: 'text', id: `t${i}`, x: 0, y: 0, w: 1, h: 1, size: 12, text: randomBytes(300).toString('base64') })
const scene = (count: number) => ({ ...emptyScene(), items: Array.from({ length: count }, (_, i) => text(i)) })

it('a company has as many bytes of drawings and dashboards as it may have of files', async () => {
  const kit = await startKit({
    areas: () => [(api) => flowchartRoutes(api, { clock: Date.now } as never), (api) => boardRoutes(api, {} as never)],
  })
  const call = (method: string, to: string, body: object) => kit.call<Row>('owner', method, `${path}${to}`, body)
  const limit = (mb: number | null) => kit.db.rows(sql`update enterprise set "MaxFileMb" = ${mb} where "Id" = ${kit.enterprises.ours}`)
  const ProjectId = ((await maker(kit).create(project, { ProjectName: 'Works' })) as Row).Id
  const { Id } = (await call('POST', '', { FlowchartName: 'Hall', ProjectId })).Data
  const boards = '/blade-visual/visual'
  const board = (Title: string, count = 0) => {
    const widget = (i: number) => ({ Id: `w${i}`, Kind: 'text', X: 0, Y: i, W: 1, H: 1, Text: randomBytes(1400).toString('base64') })
    return {
      Title,
      ProjectId,
      Content: { Version: 1, Range: '1h', Variables: [], Widgets: Array.from({ length: count }, (_, i) => widget(i)) },
    }
  }
  const full = { StatusCode: 409, Details: { Fault: 'quotaUsed' } }
  expect(await call('POST', '/Save', { Id, Scene: scene(2000) })).toMatchObject({ StatusCode: 200 })
  await limit(1)
  for (const [to, more] of [['/Copy'], ['/Publish'], ['/Save', { Scene: scene(4000) }]] as const)
    expect(await call('POST', to, { Id, ...more })).toMatchObject(full)
  // Dashboards and their versions count as well.
  expect(await kit.call('owner', 'POST', boards, board('Another'))).toMatchObject(full)
  // A removed picture can be restored, so it counts until its deletion.
  await call('DELETE', '', { Id })
  const another = { FlowchartName: 'Another', ProjectId }
  expect(await call('POST', '', another)).toMatchObject(full)
  await limit(2)
  const { Id: own } = (await kit.call<Row>('owner', 'POST', boards, board('Own', 60))).Data
  const changes = []
  for (let i = 0; i < 20; i++) changes.push((await kit.call('owner', 'PUT', boards, { Id: own, ...board('Own', 60) })).StatusCode)
  expect(changes).toContain(409)
  await limit(null)
  expect(await call('POST', '', another)).toMatchObject({ StatusCode: 200 })
  await kit.close()
})
