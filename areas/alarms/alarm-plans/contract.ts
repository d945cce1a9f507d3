import { choice, files, long, ref, text } from '../../../contract/field.ts'
import { resource } from '../../../contract/resource.ts'

/** What to do when something has failed. */
export const alarmPlan = resource('alarmPlan', {
  path: '/Alarm/AlarmPlan',
  permission: 'm10206',
  title: 'PlanName',
  sheets: 'in-out',
  fields: {
    PlanName: text({ required: true, unique: true, search: true }),
    Content: long({ max: 2000 }),
    /** A drawing or a manual beside the text. */
    Files: files(),
    /** The article of the knowledge base that it is. */
    ArticleId: ref('mtnKnowledgeBase', { as: 'ArticleTitle' }),
  },
})

/** A code that a fault goes by. */
export const alarmCode = resource('alarmCode', {
  path: '/Alarm/Alarmcode',
  permission: 'm10205',
  title: 'Code',
  order: 'Code',
  sheets: 'in-out',
  fields: {
    Code: text({ required: true, unique: true, search: true }),
    Name: text({ required: true, max: 80, search: true }),
    /** Of which devices it is a fault; of all where none is named. */
    ModelId: ref('proModel'),
    Level: choice([1, 2, 3], { required: true, default: 2 }),
    Reason: long({ max: 500 }),
    AlmPlanId: ref('alarmPlan', { as: 'PlanName' }),
  },
})
