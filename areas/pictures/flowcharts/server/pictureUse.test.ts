import { afterAll, beforeAll, expect, it } from 'vitest'
import { emptyScene } from '../../../../contract/picture/scene.ts'
import { maker } from '../../../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../../../main/testing/kit.ts'
import { proModel } from '../../../configuration/models/contract.ts'
import { project } from '../../../configuration/projects/contract.ts'
import { flowchartTemplateRoutes } from '../../flowchart-templates/server/routes.ts'
import { flowchartRoutes } from './routes.ts'

type Row = Record<string, unknown> & { Id: number }
const path = '/Project/Ddt/Flowchart'
const templates = '/Project/Ddt/FlowChartTemplate'
let kit: Kit
let ProjectId = 0
beforeAll(async () => {
  kit = await startKit({
    areas: () => [(api) => flowchartRoutes(api, { latest: new Map(), clock: Date.now } as never), flowchartTemplateRoutes],
  })
  ProjectId = (await maker(kit).create(project)).Id
})
afterAll(() => kit.close())

let count = 0
const add = async (more: object = {}) =>
  (await kit.data<Row>('owner', 'POST', path, { FlowchartName: `Picture ${++count}`, ProjectId, ...more })).Id
const save = (Id: number, ...items: object[]) => kit.call('owner', 'POST', `${path}/Save`, { Id, Scene: { ...emptyScene(), items } })
const publish = (Id: number) => kit.call('owner', 'POST', `${path}/Publish`, { Id })
const remove = (...Ids: number[]) => kit.call('owner', 'DELETE', path, { Ids })
const at = { x: 0, y: 0, w: 100, h: 50 }
const view = (picture: number) => ({ kind: 'view', id: 'v', picture, ...at })
const link = (picture: number, does = 'open') => ({ kind: 'text', id: 'l', text: 'On', size: 12, ...at, acts: [{ do: does, picture }] })
const usedBy = (...users: object[]) => ({ StatusCode: 409, Details: { UsedBy: users } })

it('a picture that another shows inside or leads to is not removed, and its users are named', async () => {
  const [inner, next, face, outer] = [await add(), await add(), await add({ Purpose: 1 }), await add()]
  await publish(inner)
  const draw = (...items: object[]) => save(outer, ...items.map((item, i) => ({ ...item, id: `i${i}` })))
  await draw(view(inner), link(next), link(face, 'faceplate'))
  const user = { Resource: 'flowchart', Id: outer, Title: expect.stringMatching(/^Picture/) }
  for (const id of [inner, next, face]) expect(await remove(id)).toMatchObject(usedBy(user))
  // The shown version counts as much as the draft.
  await publish(outer)
  await draw()
  for (const id of [inner, next, face]) expect(await remove(id)).toMatchObject(usedBy(user))
  await publish(outer)
  expect(await remove(inner)).toMatchObject({ Succeeded: true })
  await draw(link(outer), link(next))
  expect(await remove(outer, next, face)).toMatchObject({ Succeeded: true })
})

it('a template that shows a picture inside keeps it', async () => {
  const [inner, outer] = [await add(), await add()]
  await publish(inner)
  await save(outer, view(inner))
  const template = await kit.data<Row>('owner', 'POST', templates, { TemplateName: 'Two', FlowchartId: outer })
  await save(outer)
  expect(await remove(inner)).toMatchObject(usedBy({ Resource: 'flowChartTemplate', Id: template.Id, Title: 'Two' }))
  await kit.data('owner', 'DELETE', templates, { Id: template.Id })
  expect(await remove(inner)).toMatchObject({ Succeeded: true })
})

it('whoever does not see the user hears that there is one, and pictures of another company hold nothing', async () => {
  const [inner, outer] = [await add(), await add()]
  await save(outer, link(inner))
  const { Id: other } = await maker(kit).create(project)
  const moved = await add({ ProjectId: other })
  await save(moved, link(inner))
  await kit.person('here', kit.enterprises.ours, { menus: ['m10125', 'm10130', 'm10130.remove'], projects: [ProjectId] })
  const { StatusCode, Details } = await kit.call('here', 'DELETE', path, { Id: inner })
  expect([StatusCode, Details?.UsedBy?.map(({ Id }) => Id)]).toEqual([409, [outer]])
  const { Id: theirs } = await maker(kit, 'stranger').create(project)
  const foreign = await kit.data<Row>('stranger', 'POST', path, { FlowchartName: 'Theirs', ProjectId: theirs })
  expect(await save(outer, link(foreign.Id))).toMatchObject({
    StatusCode: 400,
    Details: { Fields: { 'Scene.l.acts.0.picture': [expect.any(String)] } },
  })
})

it('a link to a picture that has gone stays in a draft, and is refused when it is published', async () => {
  const [old, outer] = [await add(), await add()]
  await save(outer, link(old))
  await publish(outer)
  await save(outer)
  await publish(outer)
  expect(await remove(old)).toMatchObject({ Succeeded: true })
  await kit.data('owner', 'POST', `${path}/RestoreVersion`, { Id: outer, Version: 1 })
  expect(await save(outer, link(old), { ...link(old), id: 'm' })).toMatchObject({ Succeeded: true })
  expect((await publish(outer)).Details?.Fields).toEqual({ 'Scene.l.acts.0.picture': [expect.any(String)] })
})

it('a model that a faceplate is for is not removed', async () => {
  const { Id: ModelId } = await maker(kit).create(proModel)
  const face = await add({ Purpose: 1, ModelId })
  const removed = () => kit.call('owner', 'DELETE', proModel.path, { Id: ModelId })
  expect(await removed()).toMatchObject(usedBy({ Resource: 'flowchart', Id: face }))
  await remove(face)
  expect(await removed()).toMatchObject({ Succeeded: true })
})
