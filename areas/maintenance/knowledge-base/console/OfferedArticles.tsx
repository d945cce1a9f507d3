import { useMay } from '../../../../console/session/session.ts'
import { lazyScreen } from '../../../../console/shell/lazyScreen.tsx'

export type Asked = { AlmInfoId?: number; DeviceId?: number; EquipmentId?: number; FaultCodeId?: number; Words?: string }
const Offered = lazyScreen<Asked>(() => import('./Offered.tsx'), null)
/** Suggested articles, for users who may read them. */
export const OfferedArticles = (asked: Asked) => useMay('m10610') && <Offered {...asked} />
