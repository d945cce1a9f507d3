import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { word } from '../../../../server/http/words.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { timer, timerCalls, timerLog, timerMethodNames, timerMethods } from '../contract.ts'
import type { Timers } from './runner.ts'
import { timersService } from './service.ts'

export const timerRoutes = (app: FastifyInstance, timers: Pick<Timers, 'runNow'>, clock: () => number) => {
  const service = timersService(clock)
  crud(app, timer, { check: service.check })
  crud(app, timerLog, { except: ['create', 'update', 'remove', 'find'] })
  serve(app, timerCalls.methods, ({ request }) =>
    timerMethodNames.map((Method) => {
      const { least, ...rest } = timerMethods[Method]
      const keep = 'keep' in rest ? rest.keep : undefined
      return {
        Method,
        MethodName: word(languageOf(request), `timer.Method.${Method}`),
        KeepCounts: keep?.counts ?? null,
        KeepStandard: keep?.standard ?? null,
        LeastSeconds: least,
      }
    }),
  )
  serve(app, timerCalls.enable, ({ db, actor, body }) => service.enable(db, actor, body.Id))
  serve(app, timerCalls.disable, ({ db, actor, body }) => service.disable(db, actor, body.Id))
  serve(app, timerCalls.run, async ({ db, actor, body }) => {
    await service.find(db, actor, body.Id)
    await timers.runNow(body.Id)
    return service.find(db, actor, body.Id)
  })
}
