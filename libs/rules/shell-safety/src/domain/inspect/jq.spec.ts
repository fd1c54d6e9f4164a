import { classifyCommand } from '../classify-command.js';

describe('a program of jq or yq', () => {
  it.each([
    'jq .env a.json',
    "jq '.spec.containers[].env[]' a.json",
    "jq '{env: .a}' a.json",
    'jq \'map(select(.name == "env"))\' a.json',
    "jq '.environment | length' a.json",
    "jq '$env' a.json",
    "yq '.services.web.env' a.yml",
    "yq '.load' a.yml",
    "jq '.import, .include' a.json",
  ])('that only filters: %s', (line) => {
    expect(classifyCommand(line, 'bash')).toMatchObject({ tier: 1, class: 'READ_ONLY' });
  });

  it.each([
    'jq -n env',
    "jq -n '$ENV.TOKEN'",
    "jq '.[] | env.TOKEN' a.json",
    "jq '{a:env}' a.json",
    "jq '{(env.A): 1}' a.json",
    'jq \'"\\(env.TOKEN)"\' a.json',
    "jq '.a//env' a.json",
    'jq -n "env.$name"',
    'jq -f filter.jq a.json',
    'jq -n \'import "secrets" as $s; $s\'',
    'jq \'include "x"; f\' a.json',
    "yq -n 'strenv(TOKEN)'",
    'yq -n \'"$TOKEN" | envsubst\'',
    'yq -n \'load("a.yml")\'',
    'yq e \'.a = load_str("a.txt")\' a.yml',
    'yq -n \'strload("a.txt")\'',
    'yq -n \'loadstr("a.txt")\'',
    'yq -n \'xml_load("a.xml")\'',
    'yq -n \'eval("lo" + "ad(\\"a.yml\\")")\'',
    'jq -n \'import # a\n "./secrets" as $s; $s\'',
  ])('that a person looks at: %s', (line) => {
    const { tier, parts } = classifyCommand(line, 'bash');
    expect(tier).toBe(2);
    expect(parts.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain('shell.reads_secret');
  });
});
