import type { Method } from '../../../../contract/channel-settings.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Delivery } from '../../../../server/channels/delivery.ts'
import type { Db } from '../../../../server/database/db.ts'
import { word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { pushSettings } from './pushSettings.ts'
import { robots, robotsService } from './robots.ts'
import { type TieNeeds, tiesService } from './ties.ts'

export type WechatNeeds = TieNeeds & { delivery: Delivery }
export type Wechat = ReturnType<typeof wechatService>

export const wechatService = (needs: WechatNeeds) => ({
  ...tiesService(needs),
  ...robotsService(needs),
  ...pushSettings,
  async test(db: Db, actor: Actor, language: Language, Method: Method, RobotId: number | undefined) {
    if (RobotId) await robots.find(db, actor, RobotId)
    const [title, content, source, remark] = ['title', 'content', 'source', 'remark'].map((k) => word(language, `sample.${k}`)) as [
      string,
      string,
      string,
      string,
    ]
    const target = RobotId ? { RobotId } : { UserId: actor.UserId }
    const message = {
      EnterpriseId: actor.EnterpriseId,
      Method,
      BizType: 11,
      ...target,
      values: { title, content, source, remark },
      asked: true,
    }
    return (await needs.delivery.deliver(db, message))!
  },
})
