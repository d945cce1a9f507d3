import { list } from '../../../../console/kernel/plainScreens.ts'
import type { Screens } from '../../../../console/shell/screens.ts'
import { flowChartTemplate } from '../contract.ts'

export const screens: Screens = {
  '/projectManagement/configTempManagement': list(
    flowChartTemplate,
    ['TemplateName', 'MenuId', 'FlowchartId', 'PlatformType', 'Sort', 'Remark'],
    {
      filters: ['MenuId'],
      see: ['m10133', 'm10130'],
      ofCompany: true,
    },
  ),
}
