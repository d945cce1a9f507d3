import type { FastifyInstance } from 'fastify'
import { propertiesOf } from '../../../../contract/parsing/properties.ts'
import { parseTemplates } from '../../../../contract/parsing/templates.ts'
import type { Sandbox } from '../../../../sandbox/sandbox.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud, removes } from '../../../../server/resource/crud.ts'
import { paged, readListing } from '../../../../server/resource/list.ts'
import { dataParse, dataParseCalls } from '../contract.ts'
import { effectiveParse, ownSandbox, parseWorkWith, rollback, tested, versionsOf } from './service.ts'

const pathsIn = (text: string) => {
  try {
    return propertiesOf(JSON.parse(text))
  } catch {
    throw new FieldFaults([{ field: 'Payload', rule: 'notJson' }])
  }
}

export const dataParseRoutes = (app: FastifyInstance, sandbox: Sandbox = ownSandbox(app)) => {
  const parseWork = parseWorkWith(sandbox)
  crud(app, dataParse, { own: parseWork })
  removes(app, dataParseCalls.removeMany, parseWork.remove)
  serve(app, dataParseCalls.templates, ({ request }) => {
    const language = languageOf(request)
    const q = readListing(request.query as Record<string, unknown>)
    const Items = parseTemplates.slice((q.index - 1) * q.size, q.index * q.size).map((template) => {
      const { Name, Sample, Topic = '' } = template
      const title = { Name, Title: word(language, `parseTemplate.${Name}`), Topic }
      if ('Script' in template) return { ...title, Sample: String(Sample), Mapping: null, Script: template.Script }
      return { ...title, Sample: JSON.stringify(Sample, null, 2), Mapping: [...template.Mapping], Script: null }
    })
    return paged({ ...q, exact: true }, Items, parseTemplates.length)
  })
  serve(app, dataParseCalls.test, async ({ db, actor, body: { Id, ...given } }) => {
    const { Kind, Input, Mapping, Script } = await parseWork.find(db, actor, Id)
    return tested(sandbox, db, actor, { ...given, Input, ...(Kind === 2 ? { Script: Script ?? '' } : { Mapping: [...(Mapping ?? [])] }) })
  })
  serve(app, dataParseCalls.tryOut, ({ db, actor, body }) => tested(sandbox, db, actor, body))
  serve(app, dataParseCalls.properties, async ({ db, actor, query }) => {
    const { Sample } = await parseWork.find(db, actor, query.Id)
    return Sample ? pathsIn(Sample) : []
  })
  serve(app, dataParseCalls.propertiesOf, ({ body }) => pathsIn(body.Payload))
  serve(app, dataParseCalls.versions, ({ db, actor, query }) => versionsOf(db, actor, query.Id))
  serve(app, dataParseCalls.rollback, ({ db, actor, body }) => rollback(parseWork, db, actor, body))
  serve(app, dataParseCalls.effective, ({ db, actor, query }) => effectiveParse(db, actor, query))
}
