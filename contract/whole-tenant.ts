import { crud } from './menus.ts'

/**
 * What these change holds for every organisation of a tenant: channels, templates of messages, reminders, the tenant's own settings,
 * service levels and rates of maintenance, prices of energy, regions, dictionaries, agents and what was shipped to them, trial accounts.
 */
export const wholeTenant: ReadonlySet<string> = new Set([
  ...['m10406.edit', 'm10212.edit', 'm10432.edit', 'm10616.edit', 'm10734.edit'],
  ...['m10431', 'm10414', 'm10416', 'm10434', 'm12004', 'm12005', 'm10619', 'm10707'].flatMap((menu) =>
    crud.map((button) => `${menu}.${button}`),
  ),
  ...['m12001.add', 'm10455.grant'],
])
