import { Type } from 'typebox'
import { choice, instant, long, number, ref, text } from '../../../contract/field.ts'
import { links } from '../../../contract/links.ts'
import { resource } from '../../../contract/resource.ts'
import { point } from '../points/contract.ts'

/** How readings are written over HTTP: the only ways that exist. */
export const [asJson, asLines] = [1, 2] as const
/** Where they go: HTTP, a broker of MQTT, an authority that speaks HJ 212. */
export const [overHttp, overMqtt, overHj212] = [1, 2, 3] as const
/** Which ones: the latest value of each point, each reading that is stored, or mean, least and greatest of each interval. */
export const [latestValues, eachReading, statistics] = [1, 2, 3] as const
/** Points of a project that are sent, those made first. */
export const mostSentPoints = 10_000

/** Schemes of an address, by target. */
export const schemesOf: Record<number, readonly string[]> = { 1: ['http', 'https'], 2: ['mqtt', 'mqtts'], 3: ['tcp'] }

/** Why nothing was delivered. `status`: the receiver answered with an error, whose number is `FaultStatus`. */
export const accessFaults = [
  'notAllowed',
  'notFound',
  'unreachable',
  'timeout',
  'certificate',
  'status',
  'signIn',
  'noAnswer',
  'broken',
] as const
export type AccessFault = (typeof accessFaults)[number]

/**
 * A system of others that gets readings of a project, every so often. Over HTTP a secret signs them, or a token goes with them, once
 * somebody has made one; brokers and authorities have a password. None of them, nor a client certificate, has a field.
 */
export const thirdPartyAccess = resource('thirdPartyAccess', {
  path: '/Project/ThirdPartyAccess',
  permission: 'm10137',
  title: 'AccessName',
  owner: 'ProjectId',
  order: 'AccessName',
  acts: {
    /** A new secret; the old one signs nothing from this call on. */
    resetKey: { button: 'resetKey', danger: true, when: { Target: [overHttp] }, adds: { Secret: Type.String() } },
    /** The password of a broker, the PW of HJ 212, or over HTTP a bearer token, which replaces the secret. */
    setPassword: {
      button: 'resetKey',
      fields: { Password: text({ required: true, max: 2000, pattern: '^[!-~]([ -~]*[!-~])?$' }) },
    },
    /** A certificate for TLS, and its key, both as PEM; without both there is none. */
    setCertificate: {
      ...{ button: 'resetKey', when: { Target: [overHttp, overMqtt] } },
      fields: { Certificate: long({ max: 20_000 }), PrivateKey: long({ max: 10_000 }) },
    },
  },
  fields: {
    AccessName: text({ required: true, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    Target: choice([overHttp, overMqtt, overHj212], { required: true, default: overHttp, search: true }),
    /** `https://…`, `mqtts://host:8883`, `tcp://host:port`. Another one loses the secret or password. */
    Url: text({ required: true, max: 500, pattern: '^(https?|mqtts?|tcp)://[^\\s/]' }),
    Format: choice([asJson, asLines], { required: true, default: asJson, search: true }),
    /** Of MQTT. */
    Topic: text({ max: 200, pattern: '^[^+#\\u0000]+$' }),
    UserName: text({ max: 100 }),
    /** Of HJ 212: who we are, and the number of the system, such as 32 for surface water. */
    MN: text({ max: 24, pattern: '^[0-9A-Za-z]{14,24}$' }),
    SystemCode: text({ max: 2, pattern: '^\\d\\d$' }),
    Mode: choice([latestValues, eachReading, statistics], { required: true, default: latestValues, search: true }),
    Period: number({ required: true, integer: true, min: 10, max: 86_400, default: 60, unit: 's' }),
    /** Only points of devices of this model, and only those that mean this. */
    ModelId: ref('proModel'),
    StandardParaId: ref('standardPara', { as: 'StandardCode' }),
    /** What a point is called there: a text with `{project}`, `{device}`, `{point}`, `{address}`, `{id}`. */
    NameRule: text({ max: 100 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    /** 0 nothing sent yet, 1 delivered, 2 failed. */
    SendStatus: choice([0, 1, 2], { required: true, set: 'never', default: 0, search: true }),
    LastTime: instant(),
    /** Why the last attempt failed. */
    LastFault: choice(accessFaults, { set: 'never' }),
    FaultStatus: number({ set: 'never', integer: true }),
    /** Readings that were delivered; that wait, and since when; that retention took before. */
    Sent: number({ set: 'never', integer: true, required: true, default: 0 }),
    Waiting: number({ set: 'never', integer: true, required: true, default: 0 }),
    WaitingSince: instant({ age: true }),
    Lost: number({ set: 'never', integer: true, required: true, default: 0 }),
    Remark: long(),
  },
})

/** Points that are chosen one by one; all of the project where there are none. */
export const accessPoints = links(thirdPartyAccess, point, { path: `${thirdPartyAccess.path}/DevPara` })
