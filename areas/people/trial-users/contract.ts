import { Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { choice, instant, text } from '../../../contract/field.ts'
import { resource, valueSchema } from '../../../contract/resource.ts'

const permission = 'm10455'

/** Visitors who asked for a read-only account of the tenant for some days (ruling 34b). */
export const trialUser = resource('trialUser', {
  path: '/System/TrialUserLog',
  permission,
  title: 'TrialName',
  order: '-Id',
  acts: {
    grant: { button: 'grant', when: { Status: [0] }, asks: true },
    refuse: { button: 'grant', when: { Status: [0] }, danger: true },
  },
  fields: {
    TrialName: text({ required: true, search: true, set: 'never', max: 50 }),
    Phone: text({ required: true, search: true, set: 'never', max: 20, pattern: '^\\+?[0-9][0-9 ()-]{4,18}$' }),
    Email: text({ search: true, set: 'never', max: 100, pattern: '^[^\\s@]+@[^\\s@]+$' }),
    /** 0 pending, 1 granted, 2 refused. */
    Status: choice([0, 1, 2], { set: 'never' }),
    UserNO: text({ search: true, set: 'never' }),
    Ip: text({ set: 'never' }),
    ExpireTime: instant(),
  },
})

/** Duration of a trial account, days. */
export const trialDays = 7
/** Maximum requests per address and hour, in total per day, and pending per tenant. */
export const trialLimits = { addressAnHour: 5, aDay: 200, waiting: 500 } as const

/** Tenant of a login link; by default the first that offers trials. */
const Slug = Type.Optional(Type.String({ maxLength: 64 }))
const given = (name: keyof typeof trialUser.fields) => Type.Unsafe<string>(valueSchema(trialUser.fields[name]))

export const trialCalls = {
  offer: call({
    method: 'GET',
    path: '/System/TrialUser/Offer',
    permission: 'public',
    query: Type.Object({ Slug }),
    answer: Type.Object({ Offered: Type.Boolean(), AtOnce: Type.Boolean(), Days: Type.Integer(), PasswordMin: Type.Integer() }),
  }),
  /** The visitor chooses the password, so none has to be sent. `ExpireTime` is null until the request is granted. */
  ask: call({
    method: 'POST',
    path: '/System/TrialUser',
    permission: 'public',
    body: Type.Object({
      Slug,
      TrialName: given('TrialName'),
      Phone: given('Phone'),
      Email: Type.Optional(given('Email')),
      Pwd: Type.String({ minLength: 1, maxLength: 200 }),
    }),
    answer: Type.Object({ UserNO: Type.String(), ExpireTime: Type.Union([Type.String(), Type.Null()]) }),
  }),
}
