// A picture of 4 MB full of expressions delays nobody: neither who saves it, nor who opens it. The server is a process of its own, so that
// the lateness of its event loop is its own.
import { beforeAll, expect, test } from 'vitest'
import { ownServer } from '../faults/own-server.ts'
import { latenessOf } from './least.ts'

const own = ownServer()
const lateness = latenessOf(own)
const path = '/Project/Ddt/Flowchart'
const sum = `1${'+1'.repeat(195)}`
/** 3.9 MB of sums in bindings. */
const scene = {
  ...{ v: 1, width: 1280, height: 720 },
  items: Array.from({ length: 1000 }, (_, i) => ({
    ...{ kind: 'text', id: `t${i}`, x: 0, y: 0, w: 1, h: 1, size: 12, text: '' },
    bind: Array.from({ length: 9 }, () => ({ to: 'x', of: sum })),
  })),
}
let Id: number
beforeAll(async () => {
  const { project } = await own.door.newGateway('LARGEPICTURE', 1)
  Id = (await own.door.data('POST', path, { FlowchartName: 'Sums', ProjectId: project })).Id
})

test('a drawing with more expressions than are parsed in one go is refused before they are', async () => {
  const late = await lateness(800, async () => {
    const answer = await own.door.call(own.door.admin, 'POST', `${path}/Save`, { Id, Scene: scene })
    expect(answer).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Scene.items': [expect.stringContaining('300000')] } } })
  })
  // 1.6 s before.
  expect(late).toBeLessThan(800)
})

test('a drawing with more paths of symbols than are parsed in one go is refused before they are', async () => {
  const d = `M0 0${'H1'.repeat(15_900)}`
  const drawing = { width: 10, height: 10, parts: [{ role: 'body', d }], ports: [] }
  const symbols = Array.from({ length: 100 }, (_, i) => ({ id: `own.${i + 1}`, name: `S${i}`, drawing }))
  const Scene = { v: 1, width: 1280, height: 720, symbols, items: [] }
  const late = await lateness(500, async () => {
    const answer = await own.door.call(own.door.admin, 'POST', `${path}/Save`, { Id, Scene })
    expect(answer).toMatchObject({ StatusCode: 400, Details: { Fields: { 'Scene.symbols': [expect.stringContaining('300000')] } } })
  })
  // 0.6 s before.
  expect(late).toBeLessThan(500)
})

test('one that was stored before is opened by what its expressions name, without parsing them', async () => {
  await own.query(`
    insert into flowchart_version ("EnterpriseId", "FlowchartId", "Version", "Scene", "Items", "Points", "Changes")
    select "EnterpriseId", "Id", 1, '${JSON.stringify(scene)}'::jsonb, 1000, 0, '[]' from flowchart where "Id" = ${Id};
    update flowchart set "State" = 1, "Version" = 1 where "Id" = ${Id}`)
  const open = () => own.door.call<{ Withheld: string[] }>(own.door.admin, 'POST', `/V3${path}/Detail`, { Id })
  const late = await lateness(2000, async () => {
    const answers = await Promise.all([open(), open(), open()])
    expect(answers.map(({ Data }) => Data.Withheld)).toEqual([[], [], []])
  })
  // 3 s before.
  expect(late).toBeLessThan(2000)
})
