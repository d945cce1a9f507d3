import type { FastifyInstance } from 'fastify'
import { serve } from '../../../../server/http/serve.ts'
import { languageOf } from '../../../../server/http/wrapper.ts'
import { crud } from '../../../../server/resource/crud.ts'
import { circuitCalls, energyFactor, energyInfo, energySource } from '../contract.ts'
import { circuitCheck } from './check.ts'
import { checkCode, checkFormula, nextCode } from './checks.ts'
import { addProposed, propose } from './proposal.ts'
import { factorCheck, factorsOn, readShares, removeFactors, writeShares } from './shares.ts'
import { circuits, shownRow } from './shown.ts'
import { sourceCheck } from './sources.ts'

export const circuitRoutes = (app: FastifyInstance) => {
  crud(app, energyInfo, { check: circuitCheck, own: circuits, shapes: { row: shownRow } })
  crud(app, energySource, { check: sourceCheck })
  crud(app, energyFactor, { check: factorCheck, own: { remove: removeFactors } })
  serve(app, circuitCalls.code, async ({ db, actor, query }) => ({ EnergyCode: await nextCode(db, actor, query) }))
  serve(app, circuitCalls.checkCode, ({ db, actor, body, request }) => checkCode(db, actor, body, languageOf(request)))
  serve(app, circuitCalls.checkFormula, ({ db, actor, body, request }) => checkFormula(db, actor, body, languageOf(request)))
  serve(app, circuitCalls.factors, async ({ db, actor, query }) => ({
    Items: await factorsOn(db, actor, query.Day ?? new Date().toISOString().slice(0, 10)),
  }))
  serve(app, circuitCalls.shares, ({ db, actor, query }) => readShares(db, actor, query.EnergyInfoId))
  serve(app, circuitCalls.setShares, ({ db, actor, body }) => writeShares(db, actor, body))
  serve(app, circuitCalls.proposal, ({ db, actor, query }) => propose(db, actor, query.ProjectId))
  serve(app, circuitCalls.propose, ({ db, actor, body }) => addProposed(db, actor, body))
}
