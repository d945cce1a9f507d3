import type { FastifyInstance } from 'fastify'
import type { Query } from '../../../../contract/call.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { TooMuchWork, WorkRefused } from '../../../../server/jobs/askWorker.ts'
import { boundedQueue } from '../../../../server/jobs/boundedQueue.ts'
import { reckonInTurn } from '../../../analysis/telemetry/server/service.ts'
import type { Reader } from '../../analytics/server/service.ts'
import { modelCalls as calls, mostWaveformBytes } from '../contract.ts'
import { listModels, publishModel, removeModel, stopModel } from './models.ts'
import { predict } from './predict.ts'
import { addModel, askTraining } from './training.ts'

/** Analysing a waveform uses one core and its own heap for seconds. */
const waveforms = { concurrency: 1, perKey: 1, backlog: 8 }
const waveformLimits = { mostMs: 20_000, heapMb: 512 }

const bearingOf = ({ Balls, BallDiameter, PitchDiameter, ContactAngle = 0 }: Query<typeof calls.waveform>) => {
  const given = [Balls, BallDiameter, PitchDiameter].filter((value) => value !== undefined).length
  if (!given) return undefined
  if (given < 3) throw new FieldFaults([{ field: Balls === undefined ? 'Balls' : 'BallDiameter', rule: 'models.wholeBearing' }])
  if (BallDiameter! >= PitchDiameter!) throw new FieldFaults([{ field: 'BallDiameter', rule: 'models.largeBall' }])
  return { Balls: Balls!, BallDiameter: BallDiameter!, PitchDiameter: PitchDiameter!, ContactAngle }
}

export const predictiveRoutes = (app: FastifyInstance, needs: Pick<Reader, 'telemetry' | 'clock'>) => {
  const queued = boundedQueue(waveforms)
  serve(app, calls.models, ({ db, actor, query }) => listModels(db, actor, query))
  serve(app, calls.train, ({ db, actor, body, request }) => addModel(db, { ...actor, language: languageOf(request) }, body))
  serve(app, calls.stop, async ({ db, actor, body }) => ({ Changed: await stopModel(db, actor, body.ModelId) }))
  serve(app, calls.publish, async ({ db, actor, body }) => ({ Changed: await publishModel(db, actor, body.ModelId) }))
  serve(app, calls.remove, async ({ db, actor, body }) => ({ Removed: await removeModel(db, actor, body.ModelId) }))
  serve(app, calls.predict, ({ db, actor, body }) => reckonInTurn(actor, () => predict({ db, actor, ...needs }, body)))
  serve(app, calls.waveform, ({ actor, query, request }) => {
    const ask = { rate: query.SampleRate, rpm: query.Rpm, bearing: bearingOf(query) }
    const work = async ({ content }: { content: Buffer }) =>
      queued(() => askTraining<'waveform'>({ kind: 'waveform', file: content, ...ask }, waveformLimits), { key: actor.EnterpriseId })
    return app.uploads.receive(request, work, { fileSize: mostWaveformBytes }).catch((error) => {
      if (error instanceof WorkRefused) throw new FieldFaults([{ field: 'file', rule: `models.${error.message}` }])
      if (error instanceof TooMuchWork) throw new FieldFaults([{ field: 'file', rule: 'models.waveformTooLong' }])
      throw error
    })
  })
}
