import { Type } from 'typebox'
import { choice, instant, long, number, ref, text } from '../../../contract/field.ts'
import { links } from '../../../contract/links.ts'
import { resource } from '../../../contract/resource.ts'
import { point } from '../points/contract.ts'

/** Formats of readings over HTTP. */
export const [asJson, asLines] = [1, 2] as const
/** Targets: HTTP, an MQTT broker, an authority that speaks HJ 212. */
export const [overHttp, overMqtt, overHj212] = [1, 2, 3] as const
/** What is sent: the latest value of each point, each stored reading, or mean, minimum and maximum of each interval. */
export const [latestValues, eachReading, statistics] = [1, 2, 3] as const
/** Maximum points of a project that are sent, oldest first. */
export const mostSentPoints = 10_000

/** Schemes of an address, by target. */
export const schemesOf: Record<number, readonly string[]> = { 1: ['http', 'https'], 2: ['mqtt', 'mqtts'], 3: ['tcp'] }

/** Why a delivery failed. `status`: the receiver answered with an HTTP error, whose code is `FaultStatus`. */
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
 * An external system that periodically gets readings of a project. HTTP requests are signed with a secret or carry a bearer token, after
 * someone has created one; brokers and authorities have a password. Neither these nor a client certificate is a field.
 */
export const thirdPartyAccess = resource('thirdPartyAccess', {
  path: '/Project/ThirdPartyAccess',
  permission: 'm10137',
  title: 'AccessName',
  owner: 'ProjectId',
  order: 'AccessName',
  acts: {
    /** Creates a new secret; the old one stops working immediately. */
    resetKey: { button: 'resetKey', danger: true, when: { Target: [overHttp] }, adds: { Secret: Type.String() } },
    /** Sets the password of a broker, the PW of HJ 212, or for HTTP a bearer token, which replaces the secret. */
    setPassword: {
      button: 'resetKey',
      fields: { Password: text({ required: true, max: 2000, pattern: '^[!-~]([ -~]*[!-~])?$' }) },
    },
    /** Sets a TLS client certificate and its key, both as PEM; without both, removes them. */
    setCertificate: {
      ...{ button: 'resetKey', when: { Target: [overHttp, overMqtt] } },
      fields: { Certificate: long({ max: 20_000 }), PrivateKey: long({ max: 10_000 }) },
    },
  },
  fields: {
    AccessName: text({ required: true, unique: true, search: true }),
    ProjectId: ref('project', { required: true, set: 'create', search: true }),
    Target: choice([overHttp, overMqtt, overHj212], { required: true, default: overHttp, search: true }),
    /** `https://…`, `mqtts://host:8883`, `tcp://host:port`. A change deletes the secret or password. */
    Url: text({ required: true, max: 500, pattern: '^(https?|mqtts?|tcp)://[^\\s/]' }),
    Format: choice([asJson, asLines], { required: true, default: asJson, search: true }),
    /** MQTT only. */
    Topic: text({ max: 200, pattern: '^[^+#\\u0000]+$' }),
    UserName: text({ max: 100 }),
    /** HJ 212 only: our MN, and the system number, such as 32 for surface water. */
    MN: text({ max: 24, pattern: '^[0-9A-Za-z]{14,24}$' }),
    SystemCode: text({ max: 2, pattern: '^\\d\\d$' }),
    Mode: choice([latestValues, eachReading, statistics], { required: true, default: latestValues, search: true }),
    Period: number({ required: true, integer: true, min: 10, max: 86_400, default: 60, unit: 's' }),
    /** Only points of devices of this model, and only those with this standard parameter. */
    ModelId: ref('proModel'),
    StandardParaId: ref('standardPara', { as: 'StandardCode' }),
    /** The external name of a point: a text with `{project}`, `{device}`, `{point}`, `{address}`, `{id}`. */
    NameRule: text({ max: 100 }),
    Enabled: choice([1, 0], { required: true, default: 1, search: true }),
    /** 0 nothing sent yet, 1 delivered, 2 failed. */
    SendStatus: choice([0, 1, 2], { required: true, set: 'never', default: 0, search: true }),
    LastTime: instant(),
    /** Why the last attempt failed. */
    LastFault: choice(accessFaults, { set: 'never' }),
    FaultStatus: number({ set: 'never', integer: true }),
    /** Readings delivered; pending, and since when; deleted by retention before delivery. */
    Sent: number({ set: 'never', integer: true, required: true, default: 0 }),
    Waiting: number({ set: 'never', integer: true, required: true, default: 0 }),
    WaitingSince: instant({ age: true }),
    Lost: number({ set: 'never', integer: true, required: true, default: 0 }),
    Remark: long(),
  },
})

/** Individually selected points; if there are none, all points of the project. */
export const accessPoints = links(thirdPartyAccess, point, { path: `${thirdPartyAccess.path}/DevPara` })
