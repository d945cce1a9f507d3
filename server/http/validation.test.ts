import { afterAll, beforeAll, expect, it } from 'vitest'
import { netProtocol } from '../../areas/configuration/channels/contract.ts'
import { resources } from '../../areas/index.ts'
import { text } from '../../contract/field.ts'
import { languages } from '../../contract/languages.ts'
import { valueSchema } from '../../contract/resource.ts'
import { validators } from '../../contract/validators.ts'
import { maker } from '../../main/testing/drafts.ts'
import { type Kit, startKit } from '../../main/testing/kit.ts'
import { hasWord, word } from './words.ts'

let kit: Kit
let make: ReturnType<typeof maker>
beforeAll(async () => {
  kit = await startKit()
  make = maker(kit)
})
afterAll(() => kit.close())

it('every shared validator has its message in the four languages', () => {
  for (const name of [...validators, 'contact.missing'])
    for (const language of languages) {
      expect(hasWord(`validator.${name}`), name).toBe(true)
      expect(word(language, `validator.${name}`)).not.toBe(`validator.${name}`)
    }
})

it('[v-apply-business] ports, addresses and ranges of the business areas name their shared validator', () => {
  const used = resources.flatMap((r) =>
    Object.entries(r.fields).flatMap(([name, f]) => ('validator' in f && f.validator ? [`${r.name}.${name} ${f.validator}`] : [])),
  )
  expect(used).toEqual(
    expect.arrayContaining([
      'netProtocol.Ip host',
      'netProtocol.Port port',
      'device.SlaveNumber 1-255',
      'point.SlaveNumber 1-255',
      'point.UploadPeriod int-31536000',
    ]),
  )
})

it('[v-apply-business] the server names the field that a shared validator refuses, in its words, when a row is made or changed', async () => {
  const draft = await make.draft(netProtocol)
  const refused = { ...draft, Ip: '999.1.1.1', Port: 70_000 }
  const Fields = { Ip: [word('en', 'validator.host')], Port: ['Enter a port from 1 to 65535.'] }
  expect(await kit.call('owner', 'POST', netProtocol.path, refused, { 'accept-language': 'en' })).toMatchObject({
    StatusCode: 400,
    Details: { Fault: 'invalid', Fields },
  })
  const { Id } = await make.create(netProtocol, draft)
  for (const [language, message] of [
    ['en', 'Enter a port from 1 to 65535.'],
    ['zh', '请输入 1 到 65535 的端口号。'],
    ['es', 'Introduzca un puerto de 1 a 65535.'],
    ['ja', 'ポート番号（1～65535）を入力してください。'],
  ])
    expect(await kit.call('owner', 'PUT', netProtocol.path, { Id, Port: 0 }, { 'accept-language': language! })).toMatchObject({
      StatusCode: 400,
      Details: { Fields: { Port: [message] } },
    })
  expect(await kit.data('owner', 'PUT', netProtocol.path, { Id, Port: 65_535, Ip: 'plc.example' })).toMatchObject({ Port: 65_535 })
})

it('[v-contact-messages] a contact that is needed and empty is asked for; one that may be missing may be empty', async () => {
  const { useValidators, validationFault } = await import('./validation.ts')
  const { default: fastify } = await import('fastify')
  const app = fastify()
  useValidators(app)
  const properties = {
    Needed: valueSchema(text({ required: true, validator: 'contact' })),
    Free: valueSchema(text({ validator: 'contact' })),
  }
  app.setErrorHandler((error: { validation?: never }, _request, reply) =>
    reply.code(400).send({ fields: validationFault(error.validation!).fields }),
  )
  app.post('/', { schema: { body: { type: 'object', properties } } }, () => ({ fields: [] }))
  const rulesOf = async (payload: object) => (await app.inject({ method: 'POST', url: '/', payload })).json().fields as object[]
  expect(await rulesOf({ Needed: '13800138000', Free: null })).toEqual([])
  expect(await rulesOf({ Needed: '13800138000', Free: '' })).toEqual([])
  expect(await rulesOf({ Needed: '', Free: '1' })).toEqual([
    { field: 'Needed', rule: 'validator.contact.missing', values: {} },
    { field: 'Free', rule: 'validator.contact', values: {} },
  ])
  expect(await rulesOf({ Needed: 'x' })).toEqual([{ field: 'Needed', rule: 'validator.contact', values: {} }])
  await app.close()
})
