// Energy reports of the demo company: monthly with cost, and daily. They are stored but not sent.
import { sql } from 'kysely'
import type { Db } from '../../../../server/database/db.ts'
import { serverActor } from '../../../../server/identity/actor.ts'
import { platformEnterprise } from '../../../../server/identity/setup.ts'
import { store } from '../../../../server/resource/store.ts'
import { reportGroup } from '../../../analysis/report-groups/contract.ts'
import { addLastRun, schedulesService } from '../../../analysis/report-schedules/server/service.ts'
import { reportTemplate } from '../../../analysis/reports/contract.ts'
import type { Company } from './maintenance/company.ts'
import { say } from './maintenance/words.ts'

const meters = ['Main incomer meter', 'Intake power meter', 'Delivery power meter', 'Building power meter']
const reports = [
  {
    name: say('Energy of the month', '月度能耗', 'Energía del mes', '月間エネルギー'),
    ...{ Period: 'month', Cron: '0 0 6 1 * ?', Blocks: [{ Type: 'energy' }, { Type: 'cost' }, { Type: 'coverage' }] },
  },
  {
    name: say('Energy of the day', '日能耗', 'Energía del día', '日間エネルギー'),
    ...{ Period: 'day', Cron: '0 0 6 * * ?', Blocks: [{ Type: 'energy' }, { Type: 'curve', Points: 'levels' }] },
  },
] as const

/** Reports run with the first platform user's permissions, since demo users never sign in. */
const ownerOf = async (db: Db) => {
  const [owner] = await db.rows<{ Id: number }>(
    sql`select "Id" from "user" where "EnterpriseId" = ${platformEnterprise} and "Status" = 1 order by "Id" limit 1`,
  )
  return owner?.Id
}

export const seedEnergyReports = async (db: Db, { EnterpriseId, points, language, now }: Company) => {
  const actor = serverActor(EnterpriseId)
  const owner = await ownerOf(db)
  const Points = ['Active energy', 'Active power'].flatMap((point) =>
    meters.flatMap((meter) => {
      const ParaId = points.get(`${meter}/${point}`)
      return ParaId ? [{ ParaId }] : []
    }),
  )
  if (!owner || !Points.length) return
  const { Id: GroupId } = await store(reportGroup).create(db, actor, {
    GroupName: say('Electricity meters', '电表', 'Contadores eléctricos', '電力量計')[language],
    ...{ GroupType: 3, IsShared: 1, Points },
  })
  const schedules = schedulesService(() => now)
  for (const { name, Period, Cron, Blocks } of reports) {
    const draft = { TemplateName: name[language], GroupId, Period, Blocks: [...Blocks] }
    const { Id: ReportTemplateId } = await store(reportTemplate).create(db, actor, draft)
    // Skipped without a CJK font.
    const Format = language === 'zh' || language === 'ja' ? 'xlsx' : 'pdf'
    const { Id } = await schedules.create(db, actor, { ScheduleName: name[language], ReportTemplateId, Cron, Format, Language: language })
    await db.rows(sql`update report_schedule set "OwnerId" = ${owner} where "Id" = ${Id}`)
    await addLastRun(db, Id, now)
  }
}
