// The providers' own worked examples.
import { expect, it } from 'vitest'
import { aliyunSign, tencentAuthorization } from './sms.ts'
import { webhookSign } from './webhook.ts'
import { jsapiSign } from './wechat.ts'

it('signs for Aliyun as its documents do: DescribeRegions, and SendSms with Chinese and JSON in it', () => {
  const regions = {
    Timestamp: '2016-02-23T12:46:24Z',
    Format: 'XML',
    AccessKeyId: 'testid',
    Action: 'DescribeRegions',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf',
    Version: '2014-05-26',
    SignatureVersion: '1.0',
  }
  expect(aliyunSign(regions, 'testsecret', 'GET')).toBe('OLeaidS1JvxuMvnyHOwuJ+uX5qY=')
  const sms = {
    AccessKeyId: 'testId',
    Action: 'SendSms',
    Format: 'XML',
    OutId: '123',
    PhoneNumbers: '15300000001',
    RegionId: 'cn-hangzhou',
    SignName: '阿里云短信测试专用',
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '45e25e9b-0a6f-4070-8c85-2956eda1b466',
    SignatureVersion: '1.0',
    TemplateCode: 'SMS_71390007',
    TemplateParam: '{"customer":"test"}',
    Timestamp: '2017-07-12T02:42:19Z',
    Version: '2017-05-25',
  }
  expect(aliyunSign(sms, 'testSecret', 'GET')).toBe('zJDF+Lrzhj/ThnlvIToysFRq6t4=')
})

it('signs for Tencent Cloud as its documents do (TC3-HMAC-SHA256)', () => {
  const body = '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}'
  const request = {
    host: 'cvm.tencentcloudapi.com',
    service: 'cvm',
    timestamp: 1551113065,
    body,
    contentType: 'application/json; charset=utf-8',
  }
  const key = ['AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE', 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE'] as const
  expect(tencentAuthorization(...key, request)).toBe(
    `TC3-HMAC-SHA256 Credential=${key[0]}/2019-02-25/cvm/tc3_request, SignedHeaders=content-type;host, Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168`,
  )
})

it('signs a page for WeChat as its documents do, without what follows the hash', () => {
  const ticket = 'sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg'
  for (const url of ['http://mp.weixin.qq.com?params=value', 'http://mp.weixin.qq.com?params=value#menu'])
    expect(jsapiSign({ ticket, nonce: 'Wm3WZYTPz0wzccnW', timestamp: 1414587457, url })).toBe('0f9de62fce790f9a083d5c99e95740ceb90c27ed')
})

it('signs a webhook as Standard Webhooks does', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect(webhookSign(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
