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
  crud(app, timer, {
    check: service.check,
    acts: {
      enable: ({ db, actor, row }) => service.enable(db, actor, row.Id),
      disable: ({ db, actor, row }) => service.disable(db, actor, row.Id),
      run: ({ row }) => timers.runNow(row.Id),
    },
  })
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
}
