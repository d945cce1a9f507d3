import { choice, flag, instant, number, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'
import { normalCardNo } from './cardNo.ts'
import { mtnShiftDuty } from './duties.ts'

/** 1 tag of a point, 2 card of a person, 3 tag of a device. */
export const cardTypes = [1, 2, 3] as const
export const ofPerson = 2
/** 0 disabled, 1 normal, 2 lost, 3 damaged. */
export const cardStates = [1, 0, 2, 3] as const
/** Result of a reading: 0 accepted, 1 unknown card, 2 card out of use, 3 not in the plan, 4 wrong order, 5 out of time, 6 repeated within a minute. */
export const readResults = [0, 1, 2, 3, 4, 5, 6] as const

/** Patrol planners may see the positions of people. */
export const seesPlaces = 'm10605.edit'

const position = { Longitude: number({ min: -180, max: 180, unit: '°' }), Latitude: number({ min: -90, max: 90, unit: '°' }) }

/** A card or tag. Its number is stored as hex digits, independent of the reader. */
export const proRfidInfo = resource('proRfidInfo', {
  path: '/Project/ProRFIDInfo',
  permission: 'm10612',
  title: 'CardName',
  order: 'CardName',
  sheets: 'in-out',
  acts: { setStatus: { button: 'card', many: true, fields: { Status: choice(cardStates, { required: true }) } } },
  fields: {
    CardName: text({ required: true, search: true }),
    CardNo: text({ required: true, max: 30, unique: true, search: true }),
    CardType: choice(cardTypes, { required: true, default: 1, search: true }),
    Status: choice(cardStates, { required: true, default: 1, set: 'never', search: true }),
    ProjectId: ref('project'),
    DeviceId: ref('device'),
    /** Equipment that carries the tag; it need not be a device. */
    EquipmentId: ref('mtnEquipment'),
    PositionName: text({ max: 60, search: true }),
    ...position,
    /** The gateway of the reader. */
    GatewayId: ref('gateway'),
    /** Holder of the card. */
    UserId: ref('user'),
    Sort: number({ integer: true, min: 0, max: 1e6 }),
    Remark: text({ max: 200 }),
  },
  rules: [{ name: 'cardNo', of: ['CardNo'], isBroken: ({ CardNo }) => normalCardNo(String(CardNo ?? '')) === undefined }],
})

/** A card reading. Unique by reader and time. */
export const proRfidHistory = resource('proRfidHistory', {
  path: '/Project/ProRFIDInfo/ProRFIDHistory',
  permission: 'm10612',
  title: 'CardNo',
  order: '-ReadTime',
  sheets: 'out',
  wire: { list: ['POST ', 'GET /List', 'POST /List'], find: [], create: [], update: [], remove: [] },
  differs: { create: 'Readers make it.' },
  fields: {
    ReadTime: instant({ required: true }),
    CardNo: text({ required: true, max: 30, set: 'never', search: true }),
    RfidId: ref('proRfidInfo', { set: 'never', as: 'CardName' }),
    Result: choice(readResults, { required: true, set: 'never', search: true }),
    /** 1 a gateway, 2 a phone, 3 a hand reader. */
    ReaderType: choice([1, 2, 3], { required: true, set: 'never', search: true }),
    GatewayId: ref('gateway', { set: 'never' }),
    Reader: text({ max: 60, set: 'never', search: true }),
    UserId: ref('user', { set: 'never' }),
    UploadTime: instant({ required: true }),
    /** Position of the phone, visible to planners and to the person. Removed after twelve months. */
    Longitude: number({ set: 'never', seenWith: seesPlaces, unit: '°' }),
    Latitude: number({ set: 'never', seenWith: seesPlaces, unit: '°' }),
    DistanceM: number({ integer: true, set: 'never', unit: 'm' }),
    /** 1: more than 500 m from the tag. */
    IsFar: flag({ required: true, set: 'never', default: 0, search: true }),
    /** 1: the phone's clock was more than five minutes off. */
    IsClockOff: flag({ required: true, set: 'never', default: 0, search: true }),
  },
})

/**
 * Attendance of a person on a day: first and last card reading. For an assigned shift, it is checked against the shift, and missing
 * readings have records, too. Later readings do not overwrite a correction.
 */
export const mtnPunchRecord = resource('mtnPunchRecord', {
  path: '/Maintenance/MtnPunchRecord',
  permission: 'm10611',
  title: 'Day',
  order: '-PunchTime',
  sheets: 'out',
  wire: { find: [], create: [], update: [], remove: [] },
  differs: { create: 'Readings of cards make it.' },
  acts: {
    correct: {
      button: 'correct',
      fields: {
        PunchTime: instant({ required: true, set: 'always' }),
        /** Approver: neither the person himself nor the author of the correction. */
        ApproverId: ref('user', { required: true }),
        Remark: text({ required: true, max: 200 }),
      },
    },
  },
  fields: {
    UserId: ref('user', { required: true, set: 'never', search: true }),
    /** In the company's time zone. */
    Day: text({ required: true, max: 10, set: 'never', search: true }),
    /** 1 on duty, 2 off duty, 3 at an order, 4 away from an order, 5 patrol. */
    PunchType: choice([1, 2, 3, 4, 5], { required: true, set: 'never', search: true }),
    PunchTime: instant({ required: true, set: 'always' }),
    /** When the shift begins or ends; null without a shift. */
    PlanTime: instant({}),
    ShiftName: text({ max: 100, set: 'never', search: true }),
    /** 1 position, 2 card, 3 Wi-Fi, 4 photo, 5 QR code; null while missing. */
    Way: choice([1, 2, 3, 4, 5], { set: 'never', search: true }),
    /** Distance between the reader and the place of the shift. */
    DistanceM: number({ integer: true, set: 'never', unit: 'm' }),
    RfidId: ref('proRfidInfo', { set: 'never', as: 'CardName' }),
    /** 0 normal, 1 late, 2 early, 3 outside of the area, 4 missing, 5 corrected. */
    Status: choice([0, 1, 2, 3, 4, 5], { required: true, default: 0, search: true }),
    ApproverId: ref('user', { as: 'ApproverName' }),
    Remark: text({ max: 200 }),
  },
})

export const cardResources = [proRfidInfo, proRfidHistory, mtnPunchRecord, mtnShiftDuty] as const
