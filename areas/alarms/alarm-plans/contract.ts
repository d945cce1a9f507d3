import { choice, files, long, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** A response plan: instructions for a fault. */
export const alarmPlan = resource('alarmPlan', {
  path: '/Alarm/AlarmPlan',
  permission: 'm10206',
  title: 'PlanName',
  sheets: 'in-out',
  fields: {
    PlanName: text({ required: true, unique: true, search: true }),
    Content: long({ max: 2000 }),
    /** Drawings and manuals that accompany the text. */
    Files: files(),
    /** The knowledge base article of the plan. */
    ArticleId: ref('mtnKnowledgeBase', { as: 'ArticleTitle' }),
  },
})

/** A fault code. */
export const alarmCode = resource('alarmCode', {
  path: '/Alarm/Alarmcode',
  permission: 'm10205',
  title: 'Code',
  order: 'Code',
  sheets: 'in-out',
  fields: {
    Code: text({ required: true, unique: true, search: true }),
    Name: text({ required: true, max: 80, search: true }),
    /** The device model of the fault; without one, all devices. */
    ModelId: ref('proModel'),
    Level: choice([1, 2, 3], { required: true, default: 2 }),
    Reason: long({ max: 500 }),
    AlmPlanId: ref('alarmPlan', { as: 'PlanName' }),
  },
})
