// Settings of the channels that carry messages: one record a tenant and channel.
import { choice, flag, number, text } from './field.ts'
import { settings } from './settings.ts'

export const methods = ['wechat', 'email', 'sms', 'dingtalk', 'webhook'] as const
export type Method = (typeof methods)[number]

export const ofTenant = { per: 'tenant', permission: 'm10432' } as const

/** The WeChat service account that pushes template messages. */
export const wechatConfig = settings('wechatConfig', {
  ...ofTenant,
  path: '/System/WechatConfig',
  fields: { AppId: text({ max: 40 }), MpAppId: text({ max: 40 }), Status: choice([0, 1], { required: true, default: 0 }) },
  // The token and the AES key check what WeChat sends, and go nowhere.
  secrets: { AppSecret: ['AppId'], Token: [], EncodingAesKey: [] },
})

/** The other channels of the tenant. */
export const pushConfig = settings('pushConfig', {
  ...ofTenant,
  path: '/System/WechatConfig/MessagePush',
  fields: {
    EmailOn: flag({ default: 0, section: 'email' }),
    EmailHost: text({ max: 253, section: 'email', validator: 'host' }),
    EmailPort: number({ integer: true, min: 1, max: 65535, default: 465, section: 'email' }),
    /** `tls` from the first byte, `starttls` required, or nothing (inside a plant's own network only). */
    EmailTls: choice(['tls', 'starttls', 'none'], { default: 'tls', section: 'email' }),
    EmailUser: text({ max: 200, section: 'email' }),
    EmailFrom: text({ max: 200, section: 'email', pattern: '^[^\\r\\n]*@[^\\r\\n]+$' }),
    SmsOn: flag({ default: 0, section: 'sms' }),
    SmsProvider: choice(['aliyun', 'tencent'], { default: 'aliyun', section: 'sms' }),
    SmsKeyId: text({ max: 128, section: 'sms' }),
    /** Tencent's SdkAppId. */
    SmsAppId: text({ max: 40, section: 'sms' }),
    SmsRegion: text({ max: 40, section: 'sms' }),
    SmsSign: text({ max: 30, section: 'sms' }),
    WebhookOn: flag({ default: 0, section: 'webhook' }),
    WebhookUrl: text({ max: 500, validator: 'url', section: 'webhook' }),
  },
  secrets: {
    EmailPassword: ['EmailHost', 'EmailPort', 'EmailTls', 'EmailUser'],
    // The providers' addresses are settings of the server.
    SmsSecret: ['SmsProvider', 'SmsKeyId'],
    WebhookSecret: ['WebhookUrl'],
  },
})
