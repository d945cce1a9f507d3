import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Details, Wrapper } from '../../contract/call.ts'
import type { FaultKey } from '../../contract/faults.ts'
import type { Language } from '../../contract/languages.ts'
import { Fault, FieldFaults } from './faults.ts'
import { commonHeaders } from './headers.ts'
import { constraintFault, validationFault } from './validation.ts'
import { hasWord, preferred, word } from './words.ts'

/** Refusals of the transport are real HTTP statuses; outcomes of the business travel as 200 with the code in the body (ruling 6). */
const transport = new Set<FaultKey>(['tokenMissing', 'noSuchPath', 'tooLarge', 'tooMany', 'tooSlow', 'internal', 'busy', 'unavailable'])
export const languageOf = (request: FastifyRequest): Language =>
  request.headers['accept-language'] ? preferred(request.headers['accept-language']) : (request.actor?.language ?? 'zh')

export const succeeded = <T>(data: T): Wrapper<T> => ({ Succeeded: true, StatusCode: 200, Data: data, Errors: null })

/** The same with data that is JSON already. */
export const succeededText = (data: string) => `{"Succeeded":true,"StatusCode":200,"Data":${data},"Errors":null}`
const frame = succeededText('\n').split('\n') as [string, string]
/** Sends JSON in pieces. As one string, an answer of megabytes would pass through the heap several times. */
export const sendWritten = (reply: FastifyReply, data: readonly (string | Buffer)[]) =>
  reply
    .type('application/json; charset=utf-8')
    .send(Buffer.concat([frame[0], ...data, frame[1]].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))))

const known: Record<string, FaultKey> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformedJson',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformedJson',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupportedMedia',
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_REQ_FILE_TOO_LARGE: 'tooLarge',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformedJson',
}

const judged = new WeakMap<Error, Fault>()

export const asFault = (error: FastifyError & { constraint?: string; table?: string }): Fault => {
  if (error instanceof Fault) return error
  if (error.validation) {
    const fault = judged.get(error) ?? validationFault(error.validation)
    judged.set(error, fault)
    return fault
  }
  const key = known[error.code]
  if (key) return new Fault(key)
  if (error.statusCode && error.statusCode < 500) return new Fault('invalid')
  return constraintFault(error) ?? new Fault('internal')
}

const fieldMessages = (fault: Fault, language: Language): Details =>
  fault instanceof FieldFaults
    ? {
        Fields: fault.fields.reduce<Record<string, string[]>>((all, f) => {
          all[f.field] = [...(all[f.field] ?? []), word(language, f.rule.includes('.') ? f.rule : `fault.field.${f.rule}`, f.values)]
          return all
        }, Object.create(null)),
      }
    : {}

/** `m10403.edit` as its screen and button are called; other permissions have no name. */
const permissionName = (language: Language, permission: string) => {
  const [menu, button] = permission.split('.')
  if (!hasWord(`menu.${menu}`)) return permission
  return [`menu.${menu}`, ...(button ? [`button.${button}`] : [])].map((key) => word(language, key)).join(' · ')
}

const refuse = (reply: FastifyReply, request: FastifyRequest, fault: Fault) => {
  const language = languageOf(request)
  const details: Details = { ...fault.details, ...fieldMessages(fault, language), Fault: fault.key, RequestId: request.id }
  const { permission } = fault.values
  const named: Fault['values'] = permission === undefined ? {} : { permission: permissionName(language, String(permission)) }
  const errors = word(language, `fault.${fault.key}`, { requestId: request.id, ...fault.values, ...named })
  const body: Wrapper<null> = { Succeeded: false, StatusCode: fault.status, Data: null, Errors: errors, Details: details }
  // Nothing more is read: neither the rest of a body nor what a stranger sends next.
  if (fault.status === 408 || (fault.status === 429 && !request.actor)) reply.header('connection', 'close')
  if (fault.status === 429 || fault.status === 503) reply.header('retry-after', String(fault.values.seconds ?? 5))
  return (
    reply
      // Programs get every code as HTTP status (ruling 6).
      .code(transport.has(fault.key) || request.credential ? fault.status : 200)
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(body)
  )
}

/** For an address that cannot be read, which meets neither routes nor hooks. */
export const refuseAddress = (https: boolean) => (_error: Error, request: FastifyRequest, reply: FastifyReply) =>
  void refuse(reply.headers(commonHeaders(https)).header('x-request-id', request.id), request, new Fault('noSuchPath'))

/** Error handler: turns any error into the wrapper, in the caller's language, and logs unexpected ones. */
export const wrapFaults = (app: FastifyInstance) => {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const fault = asFault(error)
    if (fault.key === 'internal') request.log.error({ err: error }, 'request failed')
    return refuse(reply, request, fault)
  })
  app.setNotFoundHandler((request, reply) => refuse(reply, request, new Fault('noSuchPath')))
}
